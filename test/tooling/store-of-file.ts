import { join } from 'node:path';

// Test files do not send what others have stored: each has a folder of its own.
process.env['FAULTLINE_STORE_DIR'] = join(process.env['FAULTLINE_STORE_DIR'] ?? '', String(process.pid));
