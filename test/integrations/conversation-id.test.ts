import { afterEach, expect, it } from 'vitest';
import { getCurrentScope, getIsolationScope, startSpan, withIsolationScope, withScope } from '../../src/index.js';
import { conversationIdIntegration } from '../../src/integrations/conversation-id.js';
import { type RecordedItems, recordEvents, reset } from '../../src/testing/testing.js';

type Transaction = RecordedItems['transaction'];

const KEY = 'gen_ai.conversation.id';
const ASKING = { 'gen_ai.operation.name': 'chat' };

afterEach(reset);

async function transactionOf(story: () => unknown): Promise<Transaction> {
  const sent = recordEvents({ defaultIntegrations: false, integrations: [conversationIdIntegration()] });
  withIsolationScope(() => withScope(story));
  return sent.next('transaction');
}

const idsOf = ({ contexts, spans }: Transaction) => [contexts.trace.data?.[KEY], ...spans.map(({ data }) => data[KEY])];

it('spans of generative AI say to which conversation of the scope they belong, others do not', async () => {
  const transaction = await transactionOf(() => {
    getCurrentScope().setConversationId('c1');
    startSpan({ name: 'request' }, () => {
      startSpan({ name: 'ask', attributes: ASKING }, () => undefined);
      startSpan({ name: 'query', attributes: { 'db.system': 'x' } }, () => undefined);
    });
  });
  expect(idsOf(transaction)).toEqual([undefined, 'c1', undefined]);
});

it('so does a root', async () => {
  const transaction = await transactionOf(() => {
    getIsolationScope().setConversationId('c2');
    startSpan({ name: 'ask', attributes: ASKING }, () => undefined);
  });
  expect(idsOf(transaction)).toEqual(['c2']);
  expect(transaction.contexts.trace).toMatchObject({ span_id: expect.any(String), data: ASKING });
});

it('the current scope wins over the isolation scope, and a span over both', async () => {
  const transaction = await transactionOf(() => {
    getIsolationScope().setConversationId('of the isolation scope');
    getCurrentScope().setConversationId('of the current scope');
    startSpan({ name: 'ask', attributes: { [KEY]: 'of the span' } }, () =>
      startSpan({ name: 'ask', attributes: ASKING }, () => undefined),
    );
  });
  expect(idsOf(transaction)).toEqual(['of the span', 'of the current scope']);
});

it('without a conversation nothing is said', async () => {
  const transaction = await transactionOf(() => startSpan({ name: 'ask', attributes: ASKING }, () => undefined));
  expect(transaction.contexts.trace.data).not.toHaveProperty([KEY]);
});
