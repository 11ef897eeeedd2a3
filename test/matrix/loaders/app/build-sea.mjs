// Copies this Node, and puts the bundle into the copy.
import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync } from 'node:fs';
import { inject } from 'postject';

execFileSync(process.execPath, ['--experimental-sea-config', 'sea.json']);
copyFileSync(process.execPath, 'sea');
await inject('sea', 'NODE_SEA_BLOB', readFileSync('sea.blob'), {
  sentinelFuse: 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2',
});
