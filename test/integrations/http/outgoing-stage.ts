import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { type ClientOptions, captureMessage } from '../../../src/index.js';
import type { Integration } from '../../../src/model/contracts.js';
import type { Breadcrumb } from '../../../src/model/event/breadcrumb.js';
import { tell } from '../../support/story.js';
import { serve } from './servers.js';

export interface Outgoing {
  /** What each request brought, in order of arrival. */
  readonly received: IncomingHttpHeaders[];
  readonly breadcrumbs: Breadcrumb[];
}

/** Plays requests to a server in this process; answers with the status code that the path names, 200 otherwise. */
export async function outgoing(
  integrations: Integration[],
  play: (url: string) => unknown,
  options: ClientOptions = {},
): Promise<Outgoing> {
  const received: IncomingHttpHeaders[] = [];
  let breadcrumbs: Breadcrumb[] = [];
  const answer = (incoming: IncomingMessage, response: ServerResponse) => {
    received.push(incoming.headers);
    if (incoming.url === '/drop') {
      incoming.socket.destroy();
      return;
    }
    response.writeHead(Number(/^\/(\d{3})/.exec(incoming.url ?? '')?.[1] ?? 200));
    incoming.resume().on('end', () => response.end('answer'));
  };
  const server = await serve(answer);
  try {
    await tell(
      { defaultIntegrations: false, integrations, ...options },
      async () => {
        await play(server.url);
        captureMessage('done');
      },
      ({ receiver }) => {
        breadcrumbs = receiver.events.at(-1)?.breadcrumbs ?? [];
      },
    );
  } finally {
    await server.close();
  }
  return { received, breadcrumbs };
}
