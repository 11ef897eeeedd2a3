import { createRequire } from 'node:module';
import { getClient, isInitialized } from 'faultline';

const required = createRequire(import.meta.url)('faultline');
if (!isInitialized() || getClient() !== required.getClient()) throw new Error('two instances');
console.log('one instance');
