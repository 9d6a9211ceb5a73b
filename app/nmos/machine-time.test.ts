import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';

/** Where this machine's time counts, whatever clock is given: what waits for a real connection. */
const real = {
  'discovery/unicast.ts': 'a DNS server has so long to answer a datagram or on a connection',
  'load/lean-client.ts':
    'an HTTP server has so long to answer, and a connection rests as long as the server says',
  'machine-clock.ts': 'it is the clock of this machine',
  'node/http-client.ts': 'an HTTP server has so long to answer',
  'node/registration.ts': 'a registry has so long to remove a node that ends',
};

const ownTime =
  /performance\.now|Date\.now|new Date\(\)|hrtime|\b(setTimeout|setInterval)\(|timers\/promises|AbortSignal\.timeout/;

test('no other module of NMOS reads the clock of this machine or sets a timer of its own', () => {
  const files = sourcesIn(__dirname).filter((file) => ownTime.test(readFileSync(file, 'utf8')));
  expect(files.map((file) => relative(__dirname, file)).sort()).toEqual(Object.keys(real));
});

function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = join(folder, entry.name);
    if (entry.isDirectory()) return sourcesIn(file);
    return /(?<!\.test)\.ts$/.test(file) ? [file] : [];
  });
}
