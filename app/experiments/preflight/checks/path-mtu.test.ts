import { expect, test } from 'vitest';
import { worded } from '../worded-line.fixture';
import { judgePath, measurePath, type PingAnswer, parsePing } from './path-mtu';

const answered = `PING 10.0.0.2 (10.0.0.2) 1372(1400) bytes of data.
1380 bytes from 10.0.0.2: icmp_seq=1 ttl=64 time=0.020 ms

--- 10.0.0.2 ping statistics ---
2 packets transmitted, 1 received, 50% packet loss, time 201ms
rtt min/avg/max/mdev = 0.020/0.020/0.020/0.000 ms
`;
const routerSaid = `PING 10.0.0.2 (10.0.0.2) 1472(1500) bytes of data.
From 10.1.0.2 icmp_seq=1 Frag needed and DF set (mtu = 1400)
ping: local error: message too long, mtu=1400

--- 10.0.0.2 ping statistics ---
2 packets transmitted, 0 received, +2 errors, 100% packet loss, time 201ms
`;

test('what ping wrote is read; anything else is refused, with what it said', () => {
  expect(parsePing(answered)).toEqual({ received: 1, reportedMtuBytes: null });
  expect(parsePing(routerSaid)).toEqual({ received: 0, reportedMtuBytes: 1400 });
  expect(parsePing(answered.replaceAll('\n', '\r\n').replaceAll('\r', ''))).toMatchObject({ received: 1 });
  const otherPing = answered.replace('1 received', '1 packets received');
  expect(parsePing(otherPing)).toEqual({ received: 1, reportedMtuBytes: null });
  expect(() => parsePing('hello')).toThrow(/ping said "hello"/);
  expect(() => parsePing('')).toThrow(/ping said ""/);
});

const place = { name: 'x0', host: '10.0.0.2', ownMtuBytes: 1500 };

/** A way that carries so much; `reported`: a router says so. */
function way(carriedBytes: number, reported: number | null = null) {
  const sizes: number[] = [];
  const ping = async (packetBytes: number): Promise<PingAnswer> => {
    sizes.push(packetBytes);
    const passes = packetBytes <= carriedBytes;
    return { received: passes ? 2 : 0, reportedMtuBytes: passes ? null : reported };
  };
  return { sizes, ping };
}

test.each([576, 577, 1280, 1399, 1400, 1499])(
  'a way that carries %i bytes is found to the byte',
  async (bytes) => {
    const { ping, sizes } = way(bytes);
    const facts = await measurePath(place, ping);
    expect(facts.pathMtuBytes).toBe(bytes);
    expect(sizes.length).toBeLessThan(14);
    expect(worded(judgePath(facts))).toMatchObject({
      state: 'problem',
      found: expect.stringMatching(`up to ${bytes} bytes .+ larger ones, of up to 1500, are lost`),
      command: `ip link set dev x0 mtu ${bytes}`,
    });
  },
);

test('a way that carries all takes two looks', async () => {
  const { ping, sizes } = way(1500);
  const facts = await measurePath(place, ping);
  expect(sizes).toEqual([576, 1500]);
  expect(judgePath(facts).state).toBe('ok');
});

test('a router that reports is a warning; a host that is silent is unknown', async () => {
  const reported = await measurePath(place, way(1400, 1400).ping);
  expect(worded(judgePath(reported))).toMatchObject({
    state: 'warning',
    advice: expect.stringMatching(/router/),
  });
  const silent = await measurePath(place, way(0).ping);
  expect(silent.pathMtuBytes).toBeNull();
  expect(worded(judgePath(silent))).toMatchObject({
    state: 'unknown',
    found: '10.0.0.2 does not answer ping',
  });
});
