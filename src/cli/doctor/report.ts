import type { OpenTelemetryFinding } from '../../model/open-telemetry-status.js';
import type { DestinationAnswer, TestResult } from '../destination.js';

/** Where the probe writes its report: a folder, and whether a test error is sent. */
export const FOLDER_VARIABLE = 'FAULTLINE_DOCTOR_FOLDER';
export const SEND_VARIABLE = 'FAULTLINE_DOCTOR_SEND';

/** What the probe in the application found. */
export interface DoctorReport {
  readonly version: string;
  readonly isEnabled: boolean;
  /** Without secret; absent when there is none. */
  readonly dsn?: string | undefined;
  readonly problems: readonly OpenTelemetryFinding[];
  readonly notes: readonly OpenTelemetryFinding[];
  /** Absent when the application ended before the destination could be asked. */
  readonly destination?: DestinationAnswer | undefined;
  /** Absent unless a test error was asked for. */
  readonly test?: TestResult | undefined;
}
