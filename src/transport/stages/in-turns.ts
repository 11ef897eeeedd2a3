import { guardOwn } from '../../internal/guard.js';
import { nextTurn } from '../../internal/patching/originals.js';
import type { PendingEnvelope, Send } from '../pending-envelope.js';

/**
 * The stage that serializes large envelopes over several turns of the event loop, so that no turn takes long. Envelopes
 * that arrive meanwhile wait in line.
 */
export function inTurns(next: Send): Send {
  /** Settles when the last envelope in line is serialized. */
  let last: Promise<void> | undefined;
  return (envelope) => {
    if (!envelope.begin() && last === undefined) return next(envelope);
    // A failure is reported by the next stage, where serializing fails again.
    guardOwn('serializing an envelope', () => envelope.freeze());
    const serialized = serializeAfter(last, envelope);
    last = serialized;
    return serialized.then(() => {
      if (last === serialized) last = undefined;
      return next(envelope);
    });
  };
}

async function serializeAfter(previous: Promise<void> | undefined, envelope: PendingEnvelope): Promise<void> {
  await previous;
  while (envelope.hasParts) {
    // The first part, too: the capture has taken some time of this turn.
    await nextTurn();
    guardOwn('serializing an envelope', () => envelope.serializePart());
  }
}
