import { toNumber, toObject, toObjects, toText } from '../../receiver/read-json.js';
import type { Json } from '../../receiver/received.js';
import { traceContextOf } from '../../receiver/render/describe-event.js';
import { toLine } from '../../receiver/render/inert.js';

const MAX_NAMES = 3;
const MAX_NAME_LENGTH = 80;

/**
 * Says which requests of a trace were answered with a status of 500 or above, although no error was captured in them, nor
 * in what they called.
 *
 * @param discarded the errors that were discarded so far, which may belong to any request; empty if there are none
 * @returns `undefined` if there are no such requests
 */
export function describeUncaptured(
  transactions: readonly Json[],
  errors: readonly Json[],
  discarded: string,
): string | undefined {
  const explained = findExplained(transactions, errors);
  const failed = transactions.filter((transaction) => hasFailed(transaction) && !explained?.has(transaction));
  if (!explained || failed.length === 0) return undefined;
  const names = [...new Set(failed.map(({ transaction }) => toLine(toText(transaction), MAX_NAME_LENGTH)))];
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : '';
  const requests = names.slice(0, MAX_NAMES).join(', ') + more;
  if (discarded !== '') {
    return `  Answered with 5xx, and no error arrived: ${requests}. So far, the SDK has discarded ${discarded}, which may be
  the reason. If it is not, the framework or your code catches errors: see docs/frameworks.md of the package.`;
  }
  return `  Answered with 5xx, and no error was captured: ${requests}. If the framework or your code
  catches errors, capture them there: docs/frameworks.md of the package names the line for many frameworks.`;
}

/**
 * The transactions with an error in them, and those that called them.
 *
 * @returns `undefined` if an error belongs to none of the transactions, so that it could explain any
 */
function findExplained(transactions: readonly Json[], errors: readonly Json[]): Set<Json> | undefined {
  const ownerOf = new Map<unknown, Json>();
  for (const transaction of transactions) {
    for (const { span_id } of [traceContextOf(transaction), ...toObjects(transaction['spans'])])
      ownerOf.set(span_id, transaction);
  }
  const explained = new Set<Json>();
  for (const error of errors) {
    let owner = ownerOf.get(traceContextOf(error)['span_id']);
    if (!owner) return undefined;
    while (owner && !explained.has(owner)) {
      explained.add(owner);
      owner = ownerOf.get(traceContextOf(owner)['parent_span_id']);
    }
  }
  return explained;
}

/** Whether it is a request that was answered with a status of 500 or above. */
function hasFailed(transaction: Json): boolean {
  const { op, data } = traceContextOf(transaction);
  return op === 'http.server' && (toNumber(toObject(data)['http.response.status_code']) ?? 0) >= 500;
}
