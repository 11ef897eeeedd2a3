// Names of the peer's version 8, which its version 9 has removed.

import { type NestApp, setupNestErrorHandler as setUpNest } from '../../frameworks/nest.js';
import * as sdk from '../../index.js';
import { readProperty } from '../../internal/values/read.js';
import { enableInstrumentation } from '../init.js';
import { getClient } from '../node-client.js';

export function addOpenTelemetryInstrumentation(...instrumentations: object[]): void {
  for (const one of instrumentations) enableInstrumentation(one);
}

/** @param baseFilter answers what no other filter does */
export function setupNestErrorHandler(app: NestApp, baseFilter?: object): void {
  const addFilter = readProperty(app, 'useGlobalFilters');
  if (baseFilter && typeof addFilter === 'function') addFilter.call(app, baseFilter);
  setUpNest(app);
}

/** The functions that act upon the current scopes. */
export function getCurrentHub() {
  return {
    addBreadcrumb: sdk.addBreadcrumb,
    captureEvent: sdk.captureEvent,
    captureException: sdk.captureException,
    captureMessage: sdk.captureMessage,
    captureSession: sdk.captureSession,
    endSession: sdk.endSession,
    getClient,
    getIsolationScope: sdk.getIsolationScope,
    getScope: sdk.getCurrentScope,
    setContext: sdk.setContext,
    setExtra: sdk.setExtra,
    setExtras: sdk.setExtras,
    setTag: sdk.setTag,
    setTags: sdk.setTags,
    setUser: sdk.setUser,
    startSession: sdk.startSession,
    withScope: sdk.withScope,
  };
}
