/** The requests that a key has left, as the X-RateLimit headers tell it (docs/behaviour.md#limit-of-a-key). */
export type RateAllowance = {
  readonly isAllowed: boolean;
  /** The most requests at once: the size of the bucket. */
  readonly limit: number;
  /** Requests a second that are allowed lastingly. */
  readonly perSecond: number;
  /** Whole requests left in it. */
  readonly remaining: number;
  /** Whole seconds until it is full again. */
  readonly resetSeconds: number;
  /** Whole seconds, at least 1, until the next request is allowed. */
  readonly retrySeconds: number;
};

type RateLimiter = {
  /** Takes one request from the bucket of a key, if there is one in it. */
  readonly take: (apiKeyId: number, steadyMs: number) => RateAllowance;
};

type Bucket = { tokens: number; atMs: number };

/** `perSecond` requests lastingly, `burst` at once after a pause. */
type RateLimits = { readonly perSecond: number; readonly burst: number };

/** A token bucket for each key. */
export function rateLimiter(limits: () => RateLimits): RateLimiter {
  const buckets = new Map<number, Bucket>();
  return {
    take: (apiKeyId, steadyMs) => {
      const { perSecond, burst } = limits();
      let bucket = buckets.get(apiKeyId);
      if (!bucket) {
        bucket = { tokens: burst, atMs: steadyMs };
        buckets.set(apiKeyId, bucket);
      }
      const refill = ((steadyMs - bucket.atMs) / 1000) * perSecond;
      bucket.tokens = Math.min(burst, bucket.tokens + refill);
      bucket.atMs = steadyMs;
      const isAllowed = bucket.tokens >= 1;
      if (isAllowed) bucket.tokens -= 1;
      return {
        isAllowed,
        limit: burst,
        perSecond,
        remaining: Math.floor(bucket.tokens),
        resetSeconds: Math.ceil((burst - bucket.tokens) / perSecond),
        retrySeconds: Math.max(1, Math.ceil((1 - bucket.tokens) / perSecond)),
      };
    },
  };
}
