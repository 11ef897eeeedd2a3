import { register } from 'node:module';
import { isInitialized } from 'faultline';

// Starts the thread of module hooks, which runs the preload once more.
register('data:text/javascript,export{}');
await import('node:fs');
if (!isInitialized()) throw new Error('two instances');
console.log('one instance');
