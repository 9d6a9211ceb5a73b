import { spawn } from 'node:child_process';

/** The performance tool of Cyclone DDS, over loopback. */

/** Samples go by unicast, in datagrams of the size of ours; it batches small ones by itself. */
const configuration = `<CycloneDDS><Domain><General>
  <Interfaces><NetworkInterface name="lo" multicast="true"/></Interfaces>
  <AllowMulticast>spdp</AllowMulticast><MaxMessageSize>1472B</MaxMessageSize><FragmentSize>1344B</FragmentSize>
</General></Domain></CycloneDDS>`;

/** Runs it to its end; gives what it printed, its own processor time at the end. */
function runTool(modes, { domain, seconds }) {
  const options = ['-i', String(domain), '-D', String(seconds)];
  // The shell prints the processor time of what it ran.
  const script = 'ddsperf "$@"; times';
  const child = spawn('bash', ['-c', script, 'bash', ...options, ...modes], {
    env: { ...process.env, CYCLONEDDS_URI: configuration, LC_ALL: 'C' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (text) => {
      output += text;
    });
    child.once('error', reject);
    child.once('exit', () => resolve(output));
  });
}

/** Reliable, unicast, one subscriber: samples that were sent, and the publisher's processor time. */
export async function ddsperfThroughput({ domain, seconds, sampleBytes }) {
  const order = { domain, seconds: seconds + 1 };
  const [received, sent] = await Promise.all([
    runTool(['sub'], order),
    runTool(['pub', 'size', String(sampleBytes)], order),
  ]);
  const lines = [...received.matchAll(/^\[\d+\] ([\d.]+)\s+size \d+ total (\d+) lost (\d+)/gm)];
  const [, at, total, lost] = lines.at(-1) ?? [];
  if (at === undefined) throw new Error(`ddsperf received nothing: ${received.slice(-200)}`);
  return {
    samples: Number(total) + Number(lost),
    seconds: Number(at),
    processorSeconds: childSeconds(sent),
  };
}

/** Half of a round trip as it reports it, µs: the median of the last second. */
export async function ddsperfLatencyUs({ domain, seconds, sampleBytes }) {
  const order = { domain, seconds: seconds + 1 };
  const [sent] = await Promise.all([
    runTool(['ping', 'size', String(sampleBytes)], order),
    runTool(['pong'], order),
  ]);
  const found = [...sent.matchAll(/ 50% ([\d.]+)us/g)].at(-1);
  if (!found) throw new Error(`ddsperf had no round trip: ${sent.slice(-200)}`);
  return Number(found[1]);
}

/** The second line of what `times` prints: user and system time of what the shell ran. */
function childSeconds(output) {
  const [, user, system] = /(\d+m[\d.]+s) (\d+m[\d.]+s)\s*$/.exec(output) ?? [];
  return secondsOf(user) + secondsOf(system);
}

function secondsOf(text) {
  const [minutes, seconds] = text.replace('s', '').split('m');
  return 60 * Number(minutes) + Number(seconds);
}
