export default { test: { globals: true, testTimeout: 60_000 } };
