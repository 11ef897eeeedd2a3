import { noteMistake } from '../../internal/options/mistakes.js';
import { describe } from '../../internal/values/in-message.js';
import { isObject, readProperty } from '../../internal/values/read.js';
import { truncate } from '../../internal/values/strings.js';
import type { Event, Primitive } from './event.js';

/** Limit of servers. */
const MAX_MESSAGE_LENGTH = 4096;
const ELLIPSIS_LENGTH = 3;

/** Feedback of a user of the application. */
export interface FeedbackParams {
  /** Not empty; cut to 4096 characters. */
  message: string;
  /** Name of the user. */
  name?: string | undefined;
  /** E-mail address for an answer. */
  email?: string | undefined;
  /** URL of the page that the user was on. */
  url?: string | undefined;
  /** Source of the feedback, for example `widget`. */
  source?: string | undefined;
  /** Id of the event that the feedback is about, 32 hex characters. */
  associatedEventId?: string | undefined;
  tags?: Record<string, Primitive> | undefined;
}

/** Creates the event for a feedback. @returns `undefined` for one without a message, which is noted as a mistake */
export function feedbackEvent(params: FeedbackParams): Event | undefined {
  const message = readProperty(params, 'message');
  if (typeof message !== 'string' || message.trim() === '') {
    const problem = isObject(params)
      ? `message must be a non-empty string, but is ${describe(message)}`
      : `the feedback must be an object such as { message }, but is ${describe(params)}`;
    noteMistake({ owner: 'captureFeedback', problem: `${problem}; nothing is sent` });
    return undefined;
  }
  return {
    type: 'feedback',
    level: 'info',
    tags: readProperty(params, 'tags') as FeedbackParams['tags'],
    contexts: {
      feedback: {
        message:
          message.length > MAX_MESSAGE_LENGTH ? truncate(message, MAX_MESSAGE_LENGTH - ELLIPSIS_LENGTH) : message,
        name: readProperty(params, 'name'),
        contact_email: readProperty(params, 'email'),
        url: readProperty(params, 'url'),
        source: readProperty(params, 'source'),
        associated_event_id: readProperty(params, 'associatedEventId'),
      },
    },
  };
}
