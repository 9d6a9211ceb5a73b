import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../app/testing/temporary-folder';
import { findAddon } from '../../addon/index';

const folder = temporaryFolder();

/** Each test has a network namespace for itself, which is gone when its process is. */
const prelude = `
  const { createSocket } = require('node:dgram');
  const { once } = require('node:events');
  const { execFileSync, spawn } = require('node:child_process');
  const addon = { exports: {} };
  process.dlopen(addon, ${JSON.stringify(findAddon())});
  const look = () => addon.exports.socketTraffic();
  const nft = (...words) => execFileSync('nft', words, { encoding: 'utf8' });
  execFileSync('ip', ['link', 'set', 'lo', 'up', 'multicast', 'on']);
  async function bind(kind, address, port = 0) {
    const socket = createSocket({ type: kind, reuseAddr: port > 0 });
    socket.got = 0;
    socket.on('message', ({ length }) => { socket.got += length; });
    socket.bind(port, address);
    await once(socket, 'listening');
    return socket;
  }
  const send = (socket, bytes, port, address) => new Promise((resolve, reject) =>
    socket.send(Buffer.alloc(bytes), port, address, (error) => (error ? reject(error) : resolve())));
  async function sendAll(from, to, sizes, address) {
    const wanted = to.got + sizes.reduce((sum, size) => sum + size, 0);
    for (const size of sizes) await send(from, size, to.address().port, address);
    while (to.got < wanted) await once(to, 'message');
  }
  const close = async (socket) => { socket.close(); await once(socket, 'close'); };
  const report = (value) => console.log(JSON.stringify(value));
`;

function run(code: string, { before = 'true', env = {} } = {}): unknown {
  const whole = `${prelude} (async () => { ${code} })();`;
  const shell = ['sh', '-c', `${before} && exec "$0" -e "$1"`, process.execPath, whole];
  const flags = ['--net', '--mount', '--', ...shell];
  const options = { encoding: 'utf8', env: { ...process.env, ...env } } as const;
  return JSON.parse(execFileSync('unshare', flags, options));
}

const cannot = process.getuid?.() === 0 ? cannotUnshare() : 'it needs root';

function cannotUnshare(): string {
  try {
    execFileSync('unshare', ['--net', '--mount', 'nft', 'list', 'tables'], { stdio: 'ignore' });
    return '';
  } catch {
    return 'this system makes no network namespace with nf_tables';
  }
}

/** Looks until a socket is known, then what they carried by it. */
const carried = `
  look();
  const before = look();
  const since = () => {
    const { sentBytes, receivedBytes, gaps, newestGap } = look();
    const gap = gaps > before.gaps ? newestGap : null;
    return [sentBytes - before.sentBytes, receivedBytes - before.receivedBytes, gap];
  };
`;

describe.skipIf(cannot !== '')(`bytes of own UDP sockets${cannot && ` (skipped: ${cannot})`}`, () => {
  test.each([
    ['udp4', '127.0.0.1'],
    ['udp6', '::1'],
  ])('count exactly at both ends, without headers: %s', (kind, address) => {
    const sizes = [0, 1, 100, 1400, 9000, 60_000];
    const bytes = 70_501;
    const counted = run(`
      const [from, to] = [await bind('${kind}', '${address}'), await bind('${kind}', '${address}')];
      ${carried}
      await sendAll(from, to, ${JSON.stringify(sizes)}, '${address}');
      const open = since();
      await close(from);
      await close(to);
      const closed = since();
      // In the place of those a new one: the time before it was seen is not measured, the time behind it is.
      const next = await bind('${kind}', '${address}');
      report([open, closed, since(), look().gaps - before.gaps]);
      await close(next);
    `);
    const whole = [bytes, bytes, null];
    expect(counted).toEqual([whole, whole, [bytes, bytes, 'new-socket'], 1]);
  });

  test('count those of a group too, once however many sockets of ours take them', () => {
    const counted = run(`
      execFileSync('ip', ['route', 'add', '224.0.0.0/4', 'dev', 'lo']);
      const from = await bind('udp4', '127.0.0.1');
      const takers = [await bind('udp4', '239.1.2.3', 47001), await bind('udp4', '239.1.2.3', 47001)];
      for (const taker of takers) taker.addMembership('239.1.2.3', '127.0.0.1');
      from.setMulticastInterface('127.0.0.1');
      ${carried}
      await sendAll(from, takers[0], [1000, 500], '239.1.2.3');
      while (takers[1].got < 1500) await once(takers[1], 'message');
      report([since(), takers.map(({ got }) => got)]);
      process.exit();
    `);
    expect(counted).toEqual([
      [1500, 1500, null],
      [1500, 1500],
    ]);
  });

  test('fragments of IPv4 count whole, those of IPv6 are not measured', () => {
    const counted = run(`
      execFileSync('ip', ['link', 'set', 'lo', 'mtu', '1500']);
      const ends = [];
      for (const [kind, address] of [['udp4', '127.0.0.1'], ['udp6', '::1']])
        ends.push([await bind(kind, address), await bind(kind, address), [20_000], address]);
      ${carried}
      await sendAll(...ends[0]);
      const whole = since();
      await sendAll(...ends[1]);
      report([whole, since().at(-1)]);
      process.exit();
    `);
    expect(counted).toEqual([[20_000, 20_000, null], 'fragments']);
  });

  test('of a port that another process has as well are not measured', () => {
    const other = `const socket = require('node:dgram').createSocket({ type: 'udp4', reuseAddr: true });
      socket.bind(47002, '127.0.0.2', () => console.log('bound'));`;
    const gaps = run(`
      const own = await bind('udp4', '127.0.0.1', 47002);
      ${carried}
      const gaps = [since().at(-1)];
      const other = spawn(process.execPath, ['-e', ${JSON.stringify(other)}]);
      await once(other.stdout, 'data');
      gaps.push(since().at(-1));
      other.kill();
      await once(other, 'exit');
      // It was there since the look before.
      const atEnd = look().gaps;
      gaps.push(atEnd - before.gaps, look().gaps - atEnd);
      report(gaps);
      process.exit();
    `);
    expect(gaps).toEqual([null, 'shared-port', 2, 0]);
  });

  test('the table only counts, is there as long as there are sockets, and nobody else can take it away', () => {
    const { tables, expressions, policies, isTracked } = run(`
      const tables = [];
      const note = () => tables.push(nft('list', 'tables').trim());
      look();
      note();
      const own = await bind('udp4', '127.0.0.1');
      look();
      note();
      const { nftables } = JSON.parse(nft('--json', 'list', 'ruleset'));
      nft('flush', 'ruleset');
      note();
      await close(own);
      look();
      note();
      report({
        tables,
        expressions: nftables.flatMap(({ rule }) => rule?.expr ?? []).map((one) => Object.keys(one)[0]),
        policies: nftables.flatMap(({ chain }) => chain?.policy ?? []),
        isTracked: JSON.stringify(nftables).includes('"ct'),
      });
    `) as { tables: string[]; expressions: string[]; policies: string[]; isTracked: boolean };
    const table = expect.stringMatching(/^table inet whiteline_\d+$/);
    expect(tables).toEqual(['', table, table, '']);
    expect(new Set(expressions)).toEqual(new Set(['match', 'counter']));
    expect(policies).toEqual(['accept', 'accept']);
    expect(isTracked).toBe(false);
  });

  test('the table goes with a process that is killed, though a program that it started lives on', () => {
    const code = `${prelude} (async () => {
      await bind('udp4', '127.0.0.1');
      look();
      spawn('sleep', ['5'], { stdio: 'ignore' });
      require('node:fs').writeSync(1, nft('list', 'tables'));
      process.kill(process.pid, 'SIGKILL');
    })();`;
    const script = '"$0" -e "$1"; echo then; nft list tables';
    const told = execFileSync('unshare', ['--net', 'sh', '-c', script, process.execPath, code], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    expect(told).toMatch(/^table inet whiteline_\d+\nthen\n$/);
  });

  /** What a system without it makes of its sockets. */
  const refuse = (error: string) => `#include <errno.h>
    #include <sys/socket.h>
    #include <sys/syscall.h>
    #include <unistd.h>
    int socket(int domain, int type, int protocol) {
      if (domain == AF_NETLINK && protocol == 12) { errno = ${error}; return -1; }
      return syscall(SYS_socket, domain, type, protocol);
    }`;
  const withoutSockets = (error: string) => () => {
    const [source, library] = [join(folder, `${error}.c`), join(folder, `${error}.so`)];
    writeFileSync(source, refuse(error));
    execFileSync('cc', ['-shared', '-fPIC', '-o', library, source]);
    return { env: { LD_PRELOAD: library } };
  };
  const withoutLibrary = () => {
    const known = execFileSync('ldconfig', ['-p'], { encoding: 'utf8' });
    const file = /libnftables\.so\.1 .*=> (.*)/.exec(known)?.[1] ?? '';
    return { before: `mount --bind /dev/null ${file}` };
  };

  test.each([
    ['not root', () => ({}), 'process.setuid(65534);', 'not-allowed'],
    ['no libnftables', withoutLibrary, '', 'no-library'],
    ['a kernel without nf_tables', withoutSockets('EPROTONOSUPPORT'), '', 'no-kernel-support'],
    ['no file descriptor left', withoutSockets('EMFILE'), '', 'unreadable'],
  ])('are not measured where there is %s, as long as there is a socket', (_, prepare, first, gap) => {
    const told = run(
      `
      ${first}
      const own = await bind('udp4', '127.0.0.1');
      look();
      const open = look();
      await close(own);
      const closed = look();
      report([open.newestGap, open.gaps, closed.gaps, look().gaps]);
    `,
      prepare(),
    );
    expect(told).toEqual([gap, 2, 3, 3]);
  });
});
