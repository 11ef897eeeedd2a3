// Loading a system and setting it up: from the first import until `init` or its like has returned.

export const script = 'start.js';
export const systems = ['otel-only', 'otel', 'faultline', 'sentry'];
