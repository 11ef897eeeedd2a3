import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';

// Test files do not send what others have stored: each has a folder of its own, which its child processes inherit.
process.env['FAULTLINE_STORE_DIR'] = mkdtempSync(join(inject('storeRoot'), 'file-'));
