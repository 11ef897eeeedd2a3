import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  addBreadcrumb,
  captureEvent,
  captureException,
  captureFeedback,
  captureMessage,
  captureSession,
  endSession,
  startSession,
} from '../../src/index.js';
import fc from '../support/fast-check.js';
import { hostile } from './hostile.js';
import { breadcrumb, event, feedback, hintOrContext, level, session, text } from './resources.js';
import { everyCase, TIMEOUT_MILLIS } from './runs.js';
import { Stage } from './stage.js';

const ID = /^[0-9a-f]{32}$/;

describe('whatever is captured, an id is returned, and what leaves is in order:', () => {
  let stage: Stage;

  beforeAll(async () => {
    stage = await Stage.open({ release: 'shop@1', attachStacktrace: true });
  });
  afterAll(() => stage.close());

  it('exceptions', { timeout: TIMEOUT_MILLIS }, async () => {
    await everyCase(
      'capturedExceptions',
      fc.asyncProperty(hostile, hintOrContext, (exception, hint) =>
        stage.play(() => expect(captureException(exception(), hint() as never)).toMatch(ID)),
      ),
    );
  });

  it('messages', { timeout: TIMEOUT_MILLIS }, async () => {
    await everyCase(
      'capturedMessages',
      fc.asyncProperty(fc.oneof(text, hostile), fc.oneof(level, hintOrContext), (message, hint) =>
        stage.play(() => expect(captureMessage(message() as string, hint() as never)).toMatch(ID)),
      ),
    );
  });

  it('events', { timeout: TIMEOUT_MILLIS }, async () => {
    await everyCase(
      'capturedEvents',
      fc.asyncProperty(event, hintOrContext, (given, hint) =>
        stage.play(() => expect(captureEvent(given() as never, hint() as never)).toMatch(ID)),
      ),
    );
  });

  it('feedback and sessions', { timeout: TIMEOUT_MILLIS }, async () => {
    await everyCase(
      'feedbackAndSessions',
      fc.asyncProperty(feedback, hintOrContext, session, hostile, (params, hint, context, isOver) =>
        stage.play(() => {
          startSession(context() as never);
          expect(captureFeedback(params() as never, hint() as never)).toMatch(ID);
          captureException(new Error('in a session'));
          captureSession(isOver() as never);
          endSession();
        }),
      ),
    );
  });

  it('breadcrumbs', { timeout: TIMEOUT_MILLIS }, async () => {
    await everyCase(
      'breadcrumbs',
      fc.asyncProperty(fc.array(fc.tuple(breadcrumb, hostile), { maxLength: 4 }), (crumbs) =>
        stage.play(() => {
          for (const [crumb, hint] of crumbs) addBreadcrumb(crumb() as never, hint() as never);
          captureMessage('after breadcrumbs');
        }),
      ),
    );
  });
});
