import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';

const HOSTS_FILE =
  process.platform === 'win32'
    ? `${process.env['SystemRoot'] ?? 'C:\\Windows'}\\System32\\drivers\\etc\\hosts`
    : '/etc/hosts';

const LOOPBACK = ['127.0.0.1', '::1'];

/** The addresses that this machine's own table has for a name; `localhost` always has some. */
export function readHostsFile(hostname: string, path = HOSTS_FILE): readonly string[] {
  const name = hostname.toLowerCase();
  const found = readLines(path).flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/);
    return isIP(address) && names.includes(name) ? [address] : [];
  });
  if (found.length === 0 && (name === 'localhost' || name.endsWith('.localhost'))) return LOOPBACK;
  return [...new Set(found)];
}

function readLines(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n');
  } catch {
    // Minimal containers have none.
    return [];
  }
}
