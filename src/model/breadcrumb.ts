import type { SeverityLevel } from './severity.js';

/** One step on the way to an event. */
export interface Breadcrumb {
  /** What kind of step, for renderers: `default`, `http`, `query`, `navigation`, `error`, `debug`, … */
  type?: string;
  /** Dotted origin, for example `http` or `ui.click`. */
  category?: string;
  message?: string;
  level?: SeverityLevel;
  data?: Record<string, unknown>;
  /** Unix seconds; now, when absent. */
  timestamp?: number;
}

/** What a `beforeBreadcrumb` hook may look at beside the breadcrumb; the keys depend on who made it. */
export type BreadcrumbHint = Record<string, unknown>;
