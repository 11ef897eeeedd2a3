// Names of the peer's version 8, which its version 9 has removed.

import { type NestApp, setupNestErrorHandler as setUpNest } from '../../frameworks/nest.js';
import {
  addBreadcrumb,
  captureEvent,
  captureException,
  captureMessage,
  captureSession,
  endSession,
  getCurrentScope,
  getIsolationScope,
  setContext,
  setExtra,
  setExtras,
  setTag,
  setTags,
  setUser,
  startSession,
  withScope,
} from '../../index.js';
import { readProperty } from '../../internal/values/read.js';
import { enableInstrumentation } from '../init.js';
import { getClient } from '../node-client.js';
import { missingIntegration } from './missing.js';

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
    addBreadcrumb,
    captureEvent,
    captureException,
    captureMessage,
    captureSession,
    endSession,
    getClient,
    getIsolationScope,
    getScope: getCurrentScope,
    setContext,
    setExtra,
    setExtras,
    setTag,
    setTags,
    setUser,
    startSession,
    withScope,
  };
}

export const debugIntegration = missingIntegration('debug', 'Set debug: true');
export const nestIntegration = missingIntegration(
  'nest',
  'Requests have spans without it; for spans of handlers, register @opentelemetry/instrumentation-nestjs-core',
);
export const sessionTimingIntegration = missingIntegration('sessionTiming', 'Breadcrumbs have timestamps');
