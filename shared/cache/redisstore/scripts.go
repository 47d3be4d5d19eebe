package redisstore

// Each script may run twice with the same arguments: the second run finds what the first one wrote and says 1
// again. None reads a clock.
const (
	// lockingLine lets Upstash run scripts on different keys side by side.
	lockingLine = "#!lua flags=allow-key-locking\n"

	// KEYS value, lease · ARGV token, envelope, ms, mark, mark's ms
	publishScript = `local h = redis.call('GET', KEYS[1])
if h == ARGV[2] then return 1 end
if h ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
if ARGV[5] ~= '0' then redis.call('SET', KEYS[2], ARGV[4], 'PX', ARGV[5]) end
return 1`

	// KEYS value, lease · ARGV token, envelope, ms, mark, mark's ms
	renewScript = `local h = redis.call('GET', KEYS[2])
if h == ARGV[4] then return 1 end
if h ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
if ARGV[5] ~= '0' then redis.call('SET', KEYS[2], ARGV[4], 'PX', ARGV[5]) else redis.call('DEL', KEYS[2]) end
return 1`

	// KEYS key · ARGV old, new, ms
	swapScript = `local h = redis.call('GET', KEYS[1])
if h == ARGV[2] then return 1 end
if h ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return 1`

	// KEYS key · ARGV token
	releaseScript = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0`
)
