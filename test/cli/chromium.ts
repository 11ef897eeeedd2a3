import { existsSync } from 'node:fs';

const PLACES = [
  process.env['CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Path of the browser of this machine; the variable `CHROMIUM` names another. */
export const CHROMIUM = PLACES.find((path) => path && existsSync(path));
