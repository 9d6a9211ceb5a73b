import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Seen, transportSeen } from './classify';
import { parseGroups, parseSockets, type SocketLook } from './sockets';

/**
 * Recorded from libndi 6.3.2 with two streams of 640x360@30: two looks, 2 s apart; process 1001 sends, 1002 receives.
 * Multicast is of two hosts joined by a cable, with the receiver's groups; all others are of one host over loopback.
 */
function recorded(name: string, number: 1 | 2): SocketLook {
  const file = (name_: string): string => readFileSync(join(__dirname, 'data', name, name_), 'utf8');
  const sockets = parseSockets(file(`look-${number}.txt`));
  const of = (id: number) => sockets.filter(({ processIds }) => processIds.includes(id));
  return {
    atNs: number * 2e9,
    sending: of(1001),
    receiving: of(1002),
    groups: parseGroups(file('igmp.txt')),
    transmittedBytes: number * 1e6,
  };
}

function seenOf(name: string, change: (look: SocketLook) => SocketLook = (look) => look): Seen {
  return transportSeen(change(recorded(name, 1)), change(recorded(name, 2)));
}

test.each([
  ['rudp', 'rudp'],
  ['tcp', 'tcp'],
  ['udp', 'udp'],
  ['multicast', 'multicast'],
  ['single-tcp', 'single-tcp'],
])('the sockets of %s are reported as %s', (name, transport) => {
  const seen = seenOf(name);
  expect(seen.transports).toEqual([transport]);
  expect(seen.text).toMatch(
    new RegExp(`^${transport} was seen: \\d+\\.\\d\\d Mb/s over \\d+ TCP connections, \\d+ UDP sockets$`),
  );
});

test('what goes over TCP is a stream’s traffic where TCP carries it, and next to nothing elsewhere', () => {
  for (const name of ['tcp', 'single-tcp']) expect(seenOf(name).tcpMbps).toBeGreaterThan(5);
  for (const name of ['rudp', 'udp', 'multicast']) expect(seenOf(name).tcpMbps).toBeLessThan(0.1);
  expect(seenOf('tcp').tcpConnections).toBeGreaterThan(seenOf('single-tcp').tcpConnections);
  expect(seenOf('single-tcp').udpSockets).toBe(0);
});

test.each(['rudp', 'tcp', 'single-tcp'])(
  'what %s had sent before it was looked at does not count',
  (name) => {
    const later = seenOf(name, (look) => ({
      ...look,
      sending: look.sending.map((socket) => ({ ...socket, bytesSent: socket.bytesSent + 1e9 })),
    }));
    const seen = seenOf(name);
    expect(later.transports).toEqual(seen.transports);
    expect(later.tcpMbps).toBeCloseTo(seen.tcpMbps, 6);
    // 1 MB more of all that the machine transmitted, in 2 s.
    expect(seen.networkMbps).toBe(4);
  },
);

test('a multicast group that no one has joined carries nothing', () => {
  const seen = seenOf('multicast', (look) => ({ ...look, groups: [] }));
  expect(seen.transports).toEqual([]);
  expect(seen.text).toMatch(/^no transport was seen/);
});

test('a sender whose streams took two ways is reported with both', () => {
  const both = ([tcp, single]: SocketLook[]): SocketLook => ({
    ...(tcp as SocketLook),
    sending: [...(tcp?.sending ?? []), ...(single?.sending ?? [])],
  });
  const look = (number: 1 | 2) => both([recorded('tcp', number), recorded('single-tcp', number)]);
  expect(transportSeen(look(1), look(2)).transports).toEqual(['tcp', 'single-tcp']);
});

test('sockets of no process of ours say nothing', () => {
  const nobody = (look: SocketLook): SocketLook => ({ ...look, sending: [], receiving: [] });
  expect(seenOf('rudp', nobody)).toMatchObject({
    transports: [],
    tcpMbps: 0,
    tcpConnections: 0,
    udpSockets: 0,
  });
});
