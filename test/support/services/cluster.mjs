// A primary and two workers, one of which ends by an exception; the primary prints how.
import cluster from 'node:cluster';
import { captureException, close, init, setTag, startSpan } from 'faultline';

init({ tracesSampleRate: 1 });
setTag('cluster', cluster.isPrimary ? 'primary' : process.env['ROLE']);

if (cluster.isPrimary) {
  for (const ROLE of ['failing', 'working']) cluster.fork({ ROLE });
  cluster.on('exit', (worker, code) => console.log(worker.id, code));
} else {
  startSpan({ name: `work of ${process.env['ROLE']}` }, () => undefined);
  if (process.env['ROLE'] === 'failing') {
    setTimeout(() => {
      throw new Error('uncaught in a worker');
    });
  } else {
    captureException(new Error('captured in a worker'));
    await close();
    process.disconnect();
  }
}
