// Compiled, never run: types of the peer that applications name, and options whose callbacks get typed arguments.
import * as Sentry from '../../src/sentry/sentry.js';

const express: Sentry.ExpressIntegrationOptions = { ignoreLayers: [/^query/, (name) => name.length > 3] };
// @ts-expect-error there is no such option
Sentry.expressIntegration({ ignoreLayer: [] });
Sentry.expressIntegration({ ...express, ignoreLayersType: ['middleware'], shouldHandleError: false });

const cronJob: Sentry.CronJobIntegrationOptions = { excludeJobs: ['nightly', /hourly/] };
const nodeCron: Sentry.NodeCronIntegrationOptions = cronJob;
const nodeSchedule: Sentry.NodeScheduleIntegrationOptions = nodeCron;
Sentry.cronJobIntegration(cronJob);
Sentry.nodeCronIntegration(nodeCron);
Sentry.nodeScheduleIntegration(nodeSchedule);
// @ts-expect-error a list of names and patterns
Sentry.nodeCronIntegration({ excludeJobs: 'nightly' });

const tunnel: Sentry.ServerTunnelOptions = { path: '/tunnel', allowedDsns: [], intercept: true };
const like: Sentry.TunnelRequestLike = { method: 'POST', url: '/tunnel' };
export const isForTunnel: boolean = Sentry.isTunnelRequest(like, tunnel);
const forward: Sentry.HandleTunnelRequestOptions = { request: new Request('http://a.test/tunnel'), allowedDsns: [] };
export const answer: Promise<Response> = Sentry.handleTunnelRequest(forward);
// @ts-expect-error the request is missing
export const refused: Promise<Response> = Sentry.handleTunnelRequest({ allowedDsns: [] });

Sentry.init({
  beforeSendLog: (log) => (log.level === 'debug' ? null : { ...log, message: log.message.trim() }),
  beforeSendMetric: (metric) => (metric.value > 0 ? metric : null),
});
// @ts-expect-error it returns a log or null
Sentry.init({ beforeSendLog: () => 7 });

/** A function that changes the global scope. */
export const options: Sentry.NodeOptions = { initialScope: (scope) => scope.setTag('region', 'eu') };

/** The name that version 8 has for `RequestEventData`. */
const inVersion8: Sentry.Request = { url: 'http://a.test/', method: 'GET', headers: { accept: '*/*' } };
export const event: Sentry.Event = { request: inVersion8 };
