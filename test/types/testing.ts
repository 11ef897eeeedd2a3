import { aMessage, anError, assertSent, aTransaction, type Matcher, type Recording } from 'faultline/testing';

declare const sent: Recording;
declare const asymmetric: { asymmetricMatch(other: unknown): boolean };

anError({ type: 'TypeError', value: /declined$/, handled: false, tags: { tenant: 'a' }, level: /error|fatal/ });
anError({ exception: { values: [{ type: 'TypeError', stacktrace: { frames: (frames) => frames.length > 1 } }] } });
anError({ tags: { tenant: undefined }, user: { id: asymmetric } });
anError({ contexts: { job: { attempt: 2 } }, extra: { order: { id: 7 } } });
anError((event) => event.exception.values.length === 2);
anError('declined');
anError(/declined/);
aMessage({ message: 'stale', level: 'warning' });
aTransaction({ name: /^GET/, op: 'http.server', status: 'ok', spans: [{ op: 'db.query' }] });
assertSent(sent.errors, anError());
const matcher: Matcher<'error'> = { type: 'TypeError' };
anError(matcher);
const any: Matcher = 'text';
anError(any as string);

anError({ tags: { tenant: (tenant) => tenant.startsWith('a') } });
sent.errors[0]!.tags['tenant']!.startsWith('a') satisfies boolean;
// @ts-expect-error the values of tags are text
anError({ tags: { count: 7 } });
// @ts-expect-error `tyep` is not a member of an error
anError({ tyep: 'TypeError' });
// @ts-expect-error `handled` is a boolean
anError({ handled: 'no' });
// @ts-expect-error `level` is no number
aMessage({ level: 3 });
// @ts-expect-error a transaction has no `handled`
aTransaction({ handled: false });

async function wait(): Promise<void> {
  const { exception } = await sent.next('error', { type: 'TypeError' });
  exception.values.length satisfies number;
  const { spans } = await sent.next('transaction', { name: /report$/, op: 'cron', status: 'ok' });
  spans.length satisfies number;
  await sent.next('session', { status: 'crashed' });
  await sent.next('feedback', { message: 'slow', contact_email: 'a@example.com' });
  await sent.next('breadcrumb', { category: 'cart', data: { id: 7 } });
  await sent.next('attachment', { filename: 'a.txt' });
  // @ts-expect-error `nmae` is not a member of a transaction
  await sent.next('transaction', { nmae: 'report' });
}
void wait;
