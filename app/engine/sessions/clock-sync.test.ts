import { expect, test } from 'vitest';
import { type AskTool, parseChrony, parsePtp, parseTimedatectl, readClockSync } from './clock-sync';

const chrony = `Reference ID    : CB00715A (203.0.113.90)
Stratum         : 3
Ref time (UTC)  : Sat Nov 21 13:21:57 2026
System time     : 0.000748069 seconds slow of NTP time
Last offset     : -0.000424814 seconds
RMS offset      : 0.009931661 seconds
Frequency       : 3.588 ppm fast
Residual freq   : -0.026 ppm
Skew            : 0.489 ppm
Root delay      : 0.042128868 seconds
Root dispersion : 0.002213433 seconds
Update interval : 1036.5 seconds
Leap status     : Normal
`;

const chronyBefore = `Reference ID    : 00000000 ()
Stratum         : 0
Ref time (UTC)  : Thu Jan 01 00:00:00 1970
System time     : 0.000000000 seconds fast of NTP time
Last offset     : +0.000000000 seconds
RMS offset      : 0.000000000 seconds
Frequency       : 0.000 ppm slow
Residual freq   : +0.000 ppm
Skew            : 0.000 ppm
Root delay      : 1.000000000 seconds
Root dispersion : 1.000000000 seconds
Update interval : 0.0 seconds
Leap status     : Not synchronised
`;

const ptp = `sending: GET TIME_STATUS_NP
\t90e2ba.fffe.20c7f8-0 seq 0 RESPONSE MANAGEMENT TIME_STATUS_NP
\t\tmaster_offset              310
\t\tingress_time               1361545089345029441
\t\tcumulativeScaledRateOffset +0.000000000
\t\tscaledLastGmPhaseChange    0
\t\tgmTimeBaseIndicator        0
\t\tlastGmPhaseChange          0x0000'0000000000000000.0000
\t\tgmPresent                  true
\t\tgmIdentity                 00a069.fffe.0b552d
`;

const timedatectl = `Timezone=Etc/UTC
LocalRTC=no
CanNTP=yes
NTP=yes
NTPSynchronized=yes
TimeUSec=Sat 2026-11-21 13:25:37 UTC
RTCTimeUSec=Sat 2026-11-21 13:25:37 UTC
`;

test('chrony: follows a server, slow or fast', () => {
  expect(parseChrony(chrony)).toEqual({
    state: 'synchronised',
    by: 'NTP (chrony)',
    offsetUs: -748,
    detail: 'reference CB00715A (203.0.113.90), stratum 3, leap status Normal',
  });
  expect(parseChrony(chrony.replace('slow of', 'fast of'))?.offsetUs).toBe(748);
});

test('chrony: not yet, or no one but itself', () => {
  expect(parseChrony(chronyBefore)).toMatchObject({ state: 'not synchronised', offsetUs: null });
  const alone = chrony.replace('CB00715A (203.0.113.90)', '7F7F0101 ()');
  expect(parseChrony(alone)).toMatchObject({ state: 'not synchronised', offsetUs: null });
});

test('PTP: ns of the master, or no other grandmaster', () => {
  expect(parsePtp(ptp)).toMatchObject({ state: 'synchronised', by: 'PTP (ptp4l)', offsetUs: 0.31 });
  expect(parsePtp(ptp)?.detail).toContain('00a069.fffe.0b552d');
  expect(parsePtp(ptp.replace('310', '-142'))?.offsetUs).toBe(-0.142);
  expect(parsePtp(ptp.replace('true', 'false'))).toMatchObject({ state: 'not synchronised', offsetUs: null });
});

test('timedatectl: the kernel’s flag, whatever set it', () => {
  expect(parseTimedatectl(timedatectl)).toMatchObject({ state: 'synchronised', offsetUs: null });
  expect(parseTimedatectl(timedatectl.replace('Synchronized=yes', 'Synchronized=no'))?.state).toBe(
    'not synchronised',
  );
  expect(parseTimedatectl(timedatectl.replace('\nNTP=yes', '\nNTP=no'))?.by).toBe('the kernel’s flag');
});

test.each([
  ['nothing', ''],
  ['chronyd is not there', '506 Cannot talk to daemon\n'],
  ['ptp4l does not answer', 'sending: GET TIME_STATUS_NP\n'],
  ['no systemd', 'System has not been booted with systemd as init system (PID 1). Can’t operate.\n'],
])('%s: nothing is known', (_, output) => {
  for (const parse of [parseChrony, parsePtp, parseTimedatectl]) expect(parse(output)).toBeNull();
});

function tools(outputs: Record<string, string | undefined>): AskTool {
  return async (file) => ({ output: outputs[file] ?? null, reason: 'not installed' });
}

test('the first that is synchronised is reported, then the first that answers', async () => {
  const ask = tools({ chronyc: chronyBefore, pmc: ptp, timedatectl });
  expect(await readClockSync(ask)).toMatchObject({ state: 'synchronised', by: 'PTP (ptp4l)' });
  const none = tools({
    chronyc: chronyBefore,
    timedatectl: timedatectl.replace('Synchronized=yes', 'Synchronized=no'),
  });
  expect(await readClockSync(none)).toMatchObject({ state: 'not synchronised', by: 'NTP (chrony)' });
});

test('where no tool answers the state is unknown, and each says why', async () => {
  const { state, detail, by, offsetUs } = await readClockSync(
    tools({ chronyc: '506 Cannot talk to daemon' }),
  );
  expect({ state, by, offsetUs }).toEqual({ state: 'unknown', by: '', offsetUs: null });
  expect(detail).toMatch(
    /^chronyc: no answer that we understand; pmc: not installed; timedatectl: not installed; (no PTP clock|PTP clocks: .+)$/,
  );
});

test('this very machine answers something, with a reason', async () => {
  const { state, detail } = await readClockSync();
  expect(['synchronised', 'not synchronised', 'unknown']).toContain(state);
  expect(detail).not.toBe('');
});
