package main

// prices are list prices in US dollars without tax, of us-east-1 where they differ by region, as published in autumn 2026.
// Other regions of AWS take up to a quarter more, mostly for the HTTP API and logs.
type prices struct {
	lambdaMillion   float64 // a million invocations
	lambdaGBSecond  float64 // arm64; x86_64 takes a quarter more
	httpAPIMillion  float64 // a million requests of up to 512 KB, the first 300 million
	transferGB      float64 // out of AWS to the internet, the first 10 TB
	cdnGB           float64 // CloudFront to the internet, the first 10 TB, North America and Europe
	cdnMillion      float64 // a million HTTPS requests to CloudFront
	redisCommand    float64 // Upstash, pay as you go
	redisGB         float64 // its traffic
	logsGB          float64 // CloudWatch Logs, taking in
	logsStoredGB    float64 // a GB kept for a month
	metricMonth     float64 // a custom metric
	alarmMonth      float64 // an alarm
	scheduleMillion float64 // EventBridge Scheduler

	// What nobody pays for, each month; not only in the first year.
	freeLambdaRequests, freeLambdaGBSeconds, freeTransferGB, freeCDNGB, freeCDNRequests, freeLogsGB float64
	freeRedisCommands                                                                               float64 // Upstash's free plan
	freeRedisGB, freeAlarms, freeMetrics, freeSchedules                                             float64
}

// list gives the prices.
func list() prices {
	return prices{
		lambdaMillion: 0.20, lambdaGBSecond: 0.0000133334, httpAPIMillion: 1.00, transferGB: 0.09, cdnGB: 0.085, cdnMillion: 1.00,
		redisCommand: 0.20 / 100_000, redisGB: 0.03, logsGB: 0.50, logsStoredGB: 0.03, metricMonth: 0.30, alarmMonth: 0.10,
		scheduleMillion: 1.00, freeLambdaRequests: 1e6, freeLambdaGBSeconds: 400_000, freeTransferGB: 100, freeCDNGB: 1000,
		freeCDNRequests: 10e6, freeLogsGB: 5, freeRedisCommands: 500_000, freeRedisGB: 200, freeAlarms: 10, freeMetrics: 10,
		freeSchedules: 14e6,
	}
}

// measures are the project's own numbers. measured_test.go measures again what it can and fails where one has drifted.
type measures struct {
	// Redis commands as Upstash bills them, those within scripts included.
	hitCommands, staleCommands, oldCommands, missCommands, renewalCommands float64
	// And round trips before the answer.
	hitTrips, staleTrips, oldTrips, missTrips, renewalTrips, coldTrips float64
	// A tick that has nothing to do, and one page more.
	tickCommands, tickTrips, tickPageCommands float64
	// answerKB is a page's answer compressed, lineKB a request's log line.
	answerKB, lineKB float64
}

// measured gives them.
func measured() measures {
	return measures{
		hitCommands: 1, staleCommands: 4, oldCommands: 8, missCommands: 3, renewalCommands: 7,
		hitTrips: 1, staleTrips: 2, oldTrips: 3, missTrips: 2, renewalTrips: 2, coldTrips: 3,
		tickCommands: 9, tickTrips: 4, tickPageCommands: 6,
		answerKB: 16, lineKB: 0.32,
	}
}

// assumptions are what nobody can measure beforehand. Times are in seconds.
type assumptions struct {
	month                   float64
	channels                int     // that are asked for at all
	zipf                    float64 // the n-th most popular is asked for in proportion to 1/n^zipf
	fresh, staleMax, keep   float64 // CACHE_MODE=normal
	trust                   float64 // MEMORY_CACHE_MAX_TTL
	top                     int     // REFRESH_TOP
	every, forget           float64 // of the tick: its rate, and for how long a name counts as asked for
	idle                    float64 // after which Lambda ends an environment
	start                   float64 // a cold start's share of time, beside connecting to L2
	handle, invoke, fetch   float64 // time in a function without waiting; to hand a renewal on; to fetch and read a page
	gatewayGB, refreshGB    float64 // memory of the functions
	slots                   float64 // fetches at once in a tick
	sampled                 float64 // the share of asks that are counted, beside all that had to wait
	hold, bucket            float64 // how long an environment gathers a channel's counts, and how long they go into the same set
	platformKB, accessKB    float64 // Lambda's own log lines an invocation, and the gateway's
	blobKB, metrics, alarms float64 // METRICS_NAMESPACE: a blob an invocation, the metrics it makes; AlarmAddress: the metrics in alarms
	retention               float64 // LogRetentionDays, in months
	edges                   float64 // of CloudFront, between which callers are spread
	far, near               float64 // round trip to Redis: the assumed one, and within the region
	peak                    float64 // the busiest hour over the mean
}

// assumed gives them.
func assumed() assumptions {
	return assumptions{
		month: 30.4 * 86400, channels: 2000, zipf: 1, fresh: 10, staleMax: 90, keep: 3600, trust: 10, top: 200, every: 60, forget: 1800,
		idle: 600, start: 0.1, handle: 0.003, invoke: 0.02, fetch: 0.25, gatewayGB: 0.25, refreshGB: 0.25, slots: 16, sampled: 1.0 / 8,
		hold: 60, bucket: 300,
		platformKB: 0.75, accessKB: 0.4, blobKB: 0.65, metrics: 16, alarms: 33, retention: 14 / 30.4, edges: 4, far: 0.090, near: 0.002,
		peak: 3,
	}
}

// aggressive are the assumptions with CACHE_MODE=aggressive.
func aggressive(a assumptions) assumptions {
	a.fresh, a.staleMax = 120, 600
	return a
}
