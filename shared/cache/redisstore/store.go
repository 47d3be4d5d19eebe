// Package redisstore is the Redis side of shared/cache: commands, scripts and connections, no policy.
package redisstore
