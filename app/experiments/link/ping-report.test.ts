import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parsePing } from './ping-report';

/** Recorded from ping of iputils 20221126. */
const recorded = (name: string): string => readFileSync(join(__dirname, 'data', `${name}.txt`), 'utf8');

/** Written after what each program prints. */
const written: Record<string, string> = {
  'iputils s20161105': `PING 192.0.2.7 (192.0.2.7) 56(84) bytes of data.
64 bytes from 192.0.2.7: icmp_seq=1 ttl=64 time=0.400 ms
64 bytes from 192.0.2.7: icmp_seq=2 ttl=64 time=0.600 ms

--- 192.0.2.7 ping statistics ---
2 packets transmitted, 2 received, 0% packet loss, time 1001ms
rtt min/avg/max/mdev = 0.400/0.500/0.600/0.100 ms, pipe 2
`,
  'iputils 20221126 -q': `PING 192.0.2.7 (192.0.2.7) 56(84) bytes of data.

--- 192.0.2.7 ping statistics ---
3 packets transmitted, 2 received, 33.3333% packet loss, time 2041ms
rtt min/avg/max/mdev = 0.400/0.500/0.600/0.100 ms, pipe 2, ipg/ewma 1000.2/0.5 ms
`,
  'iputils 20221126, duplicates': `PING 192.0.2.7 (192.0.2.7) 56(84) bytes of data.
64 bytes from 192.0.2.7: icmp_seq=1 ttl=64 time=0.400 ms
64 bytes from 192.0.2.7: icmp_seq=1 ttl=64 time=0.900 ms (DUP!)
64 bytes from 192.0.2.7: icmp_seq=2 ttl=64 time=0.600 ms

--- 192.0.2.7 ping statistics ---
2 packets transmitted, 2 received, +1 duplicates, 0% packet loss, time 1002ms
rtt min/avg/max/mdev = 0.400/0.633/0.900/0.205 ms
`,
  'iputils 20211215, errors': `PING 192.0.2.7 (192.0.2.7) 56(84) bytes of data.
64 bytes from 192.0.2.7: icmp_seq=1 ttl=64 time=1023 ms
From 192.0.2.1 icmp_seq=2 Destination Host Unreachable
From 192.0.2.1 icmp_seq=3 Destination Host Unreachable

--- 192.0.2.7 ping statistics ---
3 packets transmitted, 1 received, +2 errors, 66.6667% packet loss, time 2033ms
rtt min/avg/max/mdev = 1023.1/1023.1/1023.1/0.000 ms
`,
  'iputils 20240905, IPv6': `PING 2001:db8::7 (2001:db8::7) 56 data bytes
64 bytes from 2001:db8::7: icmp_seq=1 ttl=64 time=0.400 ms
64 bytes from 2001:db8::7: icmp_seq=2 ttl=64 time=0.600 ms

--- 2001:db8::7 ping statistics ---
2 packets transmitted, 2 received, 0% packet loss, time 1010ms
rtt min/avg/max/mdev = 0.400/0.500/0.600/0.100 ms
`,
  'BusyBox 1.36': `PING 192.0.2.7 (192.0.2.7): 56 data bytes
64 bytes from 192.0.2.7: seq=0 ttl=64 time=0.400 ms
64 bytes from 192.0.2.7: seq=1 ttl=64 time=0.600 ms

--- 192.0.2.7 ping statistics ---
2 packets transmitted, 2 packets received, 0% packet loss
round-trip min/avg/max = 0.400/0.500/0.600 ms
`,
  'BusyBox 1.30 -q, duplicates': `PING 192.0.2.7 (192.0.2.7): 56 data bytes

--- 192.0.2.7 ping statistics ---
4 packets transmitted, 3 packets received, 1 duplicates, 25% packet loss
round-trip min/avg/max = 0.400/0.500/0.600 ms
`,
  'BusyBox 1.36, no answer': `PING 192.0.2.9 (192.0.2.9): 56 data bytes

--- 192.0.2.9 ping statistics ---
2 packets transmitted, 0 packets received, 100% packet loss
`,
  'inetutils 2.4': `PING 192.0.2.7 (192.0.2.7): 56 data bytes
64 bytes from 192.0.2.7: icmp_seq=0 ttl=64 time=0.400 ms
64 bytes from 192.0.2.7: icmp_seq=1 ttl=64 time=0.600 ms
--- 192.0.2.7 ping statistics ---
2 packets transmitted, 2 packets received, 0% packet loss
round-trip min/avg/max/stddev = 0.400/0.500/0.600/0.100 ms
`,
};

test('each answer’s time', () => {
  expect(parsePing(recorded('ping'))).toEqual({
    echoesSent: 5,
    echoesAnswered: 5,
    rttsMs: [0.04, 0.05, 0.055, 0.06, 0.066],
    meanRttMs: 0.054,
  });
});

test('echoes that were not answered have none', () => {
  expect(parsePing(recorded('ping-lossy'))).toMatchObject({ echoesSent: 10, rttsMs: [0.125, 0.073, 0.071] });
  const none = { echoesSent: 3, echoesAnswered: 0, rttsMs: [], meanRttMs: null };
  expect(parsePing(recorded('ping-none'))).toEqual(none);
});

test.each<[string, number, number, number[], number | null]>([
  ['iputils s20161105', 2, 2, [0.4, 0.6], 0.5],
  ['iputils 20221126 -q', 3, 2, [], 0.5],
  ['iputils 20221126, duplicates', 2, 2, [0.4, 0.6], 0.633],
  ['iputils 20211215, errors', 3, 1, [1023], 1023.1],
  ['iputils 20240905, IPv6', 2, 2, [0.4, 0.6], 0.5],
  ['BusyBox 1.36', 2, 2, [0.4, 0.6], 0.5],
  ['BusyBox 1.30 -q, duplicates', 4, 3, [], 0.5],
  ['BusyBox 1.36, no answer', 2, 0, [], null],
  ['inetutils 2.4', 2, 2, [0.4, 0.6], 0.5],
])('%s', (name, echoesSent, echoesAnswered, rttsMs, meanRttMs) => {
  expect(parsePing(written[name] ?? '')).toEqual({ echoesSent, echoesAnswered, rttsMs, meanRttMs });
});

test('without a line of totals it is no report', () => {
  expect(parsePing('ping: unknown host')).toBeNull();
  expect(parsePing('')).toBeNull();
});

test('a line of 5 MB that looks like the beginnings of answers is read in one pass', () => {
  const totals = '1 packets transmitted, 1 received, 0% packet loss, time 0ms\n';
  expect(parsePing(`${'seq=1 time=1 '.repeat(400_000)}\n${totals}`)).toEqual({
    ...{ echoesSent: 1, echoesAnswered: 1, rttsMs: [], meanRttMs: null },
  });
});

test('numbers that no ping counts are none', () => {
  const huge = '9'.repeat(400);
  expect(parsePing(`${huge} packets transmitted, 1 received\n`)).toBeNull();
  expect(
    parsePing(
      `64 bytes: seq=1 ttl=64 time=${huge} ms\n1 packets transmitted, 1 received\nrtt min/avg/max = 1/${huge}/1 ms\n`,
    ),
  ).toEqual({ echoesSent: 1, echoesAnswered: 1, rttsMs: [], meanRttMs: null });
});
