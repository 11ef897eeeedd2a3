// OTel's instrumentation of Connect fails where it is imported.
import { createRequire } from 'node:module';

export default createRequire(import.meta.url)('connect');
