import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';

const HOSTS_FILE =
  process.platform === 'win32'
    ? `${process.env['SystemRoot'] ?? 'C:\\Windows'}\\System32\\drivers\\etc\\hosts`
    : '/etc/hosts';

const LOOPBACK = ['127.0.0.1', '::1'];

const RESOLVER_FILE = '/etc/resolv.conf';
const MAX_SEARCH_DOMAINS = 6;
/** Of the option `ndots`: names with fewer dots are looked up in the search domains first. */
const MAX_NDOTS = 15;

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
 * The names under which DNS is asked about a hostname, in the system's order: Kubernetes and company networks have search
 * domains. With another order, data could go to a stranger who owns the same name in the public DNS.
 *
 * @see resolv.conf(5)
 */
export function readDnsNames(hostname: string, path = RESOLVER_FILE): readonly string[] {
  if (hostname.endsWith('.')) return [hostname];
  const { LOCALDOMAIN, RES_OPTIONS = '' } = process.env;
  const lines = readFile(path).split('\n').map(fieldsOf);
  const last = lines.findLast(([keyword]) => keyword === 'search' || keyword === 'domain') ?? [];
  const domains = (LOCALDOMAIN ? fieldsOf(LOCALDOMAIN) : last.slice(1, 1 + MAX_SEARCH_DOMAINS)).filter(
    (domain) => domain !== '.',
  );
  const options = [...lines.filter(([keyword]) => keyword === 'options').flat(), ...fieldsOf(RES_OPTIONS)];
  const wanted = Number(options.findLast((option) => /^ndots:\d+$/.test(option))?.slice('ndots:'.length) ?? 1);
  const found = domains.map((domain) => `${hostname}.${domain}`);
  const dots = hostname.split('.').length - 1;
  return dots < Math.min(wanted, MAX_NDOTS) ? [...found, hostname] : [hostname, ...found];
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
