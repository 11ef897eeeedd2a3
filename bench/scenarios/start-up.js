// Loading a system and setting it up: from the first import until `init` or its like has returned.

export const title = '`import` and `init`: CPU time';
export const baseline = 'otel-only';
export const goal = { of: 'otel', max: 1.3 };
export const script = 'start.js';
export const systems = ['otel-only', 'otel', 'faultline', 'sentry'];
