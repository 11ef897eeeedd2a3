import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';

const HOSTS_FILE =
  process.platform === 'win32'
    ? `${process.env['SystemRoot'] ?? 'C:\\Windows'}\\System32\\drivers\\etc\\hosts`
    : '/etc/hosts';

const LOOPBACK = ['127.0.0.1', '::1'];

const RESOLVER_FILE = '/etc/resolv.conf';
const MAX_SEARCH_DOMAINS = 6;

/** The addresses that this machine's own table has for a name; `localhost` always has some. */
export function readHostsFile(hostname: string, path = HOSTS_FILE): readonly string[] {
  const name = hostname.toLowerCase();
  const content = readFile(path).toLowerCase();
  // Lists of blocked names have hundreds of thousands of lines.
  const lines = content.includes(name) ? content.split('\n').filter((line) => line.includes(name)) : [];
  const found = lines.flatMap((line) => {
    const [address = '', ...names] = fieldsOf(line);
    return isIP(address) && names.includes(name) ? [address] : [];
  });
  if (found.length === 0 && (name === 'localhost' || name.endsWith('.localhost'))) return LOOPBACK;
  return [...new Set(found)];
}

/**
 * The domains in which the system looks for names that DNS does not know: Kubernetes and company networks use them.
 *
 * @see resolv.conf(5)
 */
export function readSearchDomains(path = RESOLVER_FILE): readonly string[] {
  const lines = readFile(path).split('\n').map(fieldsOf);
  const last = lines.findLast(([keyword]) => keyword === 'search' || keyword === 'domain') ?? [];
  return last.slice(1, 1 + MAX_SEARCH_DOMAINS).filter((domain) => domain !== '.');
}

function fieldsOf(line: string): string[] {
  return line
    .replace(/[#;].*/, '')
    .trim()
    .split(/\s+/);
}

function readFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // Minimal containers have none.
    return '';
  }
}
