import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { machineClock } from '../engine/clock';
import { GpuSampler } from '../engine/load/gpu';
import { LoadSampler } from '../engine/load/sampler';
import type { LoadSample } from '../protocol/load';

/**
 * A program for a network namespace of its own: it pulls a cable to a second namespace, sends packets of a known number
 * and size both ways and over loopback while our sampler looks on, and prints what it sent, what the sampler saw and
 * what the kernel says, as one JSON object.
 */

export interface NamespaceReport {
  /** What was sent, each way and over loopback. */
  load: typeof namespaceLoad;
  samples: LoadSample[];
  /** Nothing was sent before this, nor after `quietNs`. */
  startNs: number;
  quietNs: number;
  /** /proc/net/dev before and after. */
  devices: [string, string];
  /** What nstat says of TcpRetransSegs since the namespace was made. */
  nstat: string;
}

const namespaceLoad = {
  datagrams: 3000,
  payloadBytes: 1400,
  /** Frames of a protocol that no program takes, towards us. */
  strayFrames: 50,
  strayFrameBytes: 200,
  mtuBytes: 9000,
  device: 'wl0',
};

/** The other end of the cable. */
const farDevice = 'wl1';

const { datagrams, payloadBytes, strayFrames, strayFrameBytes, mtuBytes, device } = namespaceLoad;
/** Neighbours with addresses of cards that do not exist: what is sent to them is carried, and then ignored. */
const nobodys = { there: '10.77.0.9', here: '10.77.0.8', card: '02:00:00:00:00:99' };
const port = 47_000;
const burst = 20;
const pauseMs = 10;
/** Longer than the kernel's first patience with a segment, 1 s. */
const retransmitMs = 1500;

/** Python, since Node cannot send bare frames. */
const sendFromThere = `
import socket, time
udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for number in range(${datagrams}):
    udp.sendto(bytes(${payloadBytes}), ("${nobodys.here}", ${port}))
    if number % ${burst} == 0: time.sleep(${pauseMs / 1000})
bare = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
bare.bind(("${farDevice}", 0))
heading = bytes.fromhex("ffffffffffff" "020000000001" "88b5")
for number in range(${strayFrames}): bare.send(heading + bytes(${strayFrameBytes} - len(heading)))
`;

function run(file: string, ...flags: string[]): string {
  return execFileSync(file, flags, { encoding: 'utf8' });
}

/** A second namespace behind a cable; it is gone when the process that holds it is. */
async function pullCable(): Promise<ChildProcess> {
  const there = spawn('unshare', ['--net', 'sh', '-c', 'echo; exec sleep 60'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((resolve, reject) => {
    there.once('error', reject);
    there.stdout?.once('data', resolve);
  });
  const id = String(there.pid);
  run('ip', 'link', 'add', device, 'type', 'veth', 'peer', 'name', farDevice, 'netns', id);
  setUp(device, '10.77.0.1/24', nobodys.there, (...words) => run('ip', ...words));
  setUp(farDevice, '10.77.0.2/24', nobodys.here, (...words) => run(...inside(id), 'ip', ...words));
  return there;
}

/** How a command is run in another process's network namespace. */
function inside(processId: string): [string, ...string[]] {
  return ['nsenter', '-t', processId, '-n'];
}

function setUp(name: string, address: string, neighbour: string, ip: (...words: string[]) => void): void {
  ip('address', 'add', address, 'dev', name);
  ip('link', 'set', name, 'mtu', String(mtuBytes), 'up');
  ip('neighbour', 'add', neighbour, 'lladdr', nobodys.card, 'dev', name, 'nud', 'permanent');
}

async function sendDatagrams(address: string): Promise<void> {
  const socket = createSocket('udp4');
  const payload = Buffer.alloc(payloadBytes);
  const sendOne = () =>
    new Promise<void>((resolve, reject) =>
      socket.send(payload, port, address, (error) => (error ? reject(error) : resolve())),
    );
  for (let sent = 0; sent < datagrams; sent += burst) {
    await Promise.all(Array.from({ length: burst }, sendOne));
    await machineClock.sleep(pauseMs);
  }
  socket.close();
}

/** Takes what comes over loopback: the kernel would answer each unexpected packet. */
async function waitOnLoopback(): Promise<() => void> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind(port, '127.0.0.1', resolve));
  return () => socket.close();
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`ended with code ${code}`))));
  });
}

async function measure(): Promise<NamespaceReport> {
  const there = await pullCable();
  const stopWaiting = await waitOnLoopback();
  const samples: LoadSample[] = [];
  const gpu = new GpuSampler(machineClock, '/nonexistent/nvidia-smi');
  const sampler = new LoadSampler({
    wall: { clock: machineClock, offsetUs: 0, look: () => null },
    gpu,
    processIds: () => ({}),
    openStreams: () => 0,
    lostPerSecond: () => ({ reason: 'no stream is followed' }),
    latency: () => null,
    onSample: (sample) => samples.push(sample),
  });
  const sampleAfter = async (ns: number): Promise<void> => {
    while ((samples[samples.length - 1]?.atNs ?? 0) <= ns) await machineClock.sleep(20);
  };
  try {
    await sampleAfter(0);
    const devicesBefore = readFileSync('/proc/net/dev', 'latin1');
    const startNs = machineClock.monotonicNs();
    await sendAll(String(there.pid));
    const quietNs = machineClock.monotonicNs();
    const devices: [string, string] = [devicesBefore, readFileSync('/proc/net/dev', 'latin1')];
    await sampleAfter(quietNs + 1e9);
    const nstat = run('nstat', '-asz', 'TcpRetransSegs');
    return { load: namespaceLoad, samples, startNs, quietNs, devices, nstat };
  } finally {
    sampler.close();
    gpu.close();
    stopWaiting();
    there.kill();
  }
}

async function sendAll(there: string): Promise<void> {
  // No answer comes: the kernel sends the first segment again after a second.
  const unanswered = connect({ host: nobodys.there, port }).on('error', () => undefined);
  const [file, ...flags] = [...inside(there), 'python3', '-c', sendFromThere];
  const sending = spawn(file, flags, { stdio: ['ignore', 'inherit', 'inherit'] });
  await Promise.all([
    ended(sending),
    sendDatagrams(nobodys.there),
    sendDatagrams('127.0.0.1'),
    machineClock.sleep(retransmitMs),
  ]);
  unanswered.destroy();
}

measure().then(
  (report) => process.stdout.write(JSON.stringify(report)),
  (error: Error) => {
    process.stderr.write(`${error.stack}\n`);
    process.exitCode = 1;
  },
);
