// The entry `faultline/sentry/preload`, which applications load first. It has nothing to do: instrumentation here needs no
// loader hook.
export {};
