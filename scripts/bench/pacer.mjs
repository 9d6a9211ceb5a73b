import { spawn, spawnSync } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { rootFolder } from '../setup/platform.mjs';

const pacer = path.join(rootFolder, 'native/build/Release/whiteline-pacer');
const [sendingInterface, receivingInterface] = ['wlp0', 'wlp1'];

/** Two network namespaces joined by a cable in memory; they are gone with the processes that hold them. */
export async function openCable() {
  const [sender, receiver] = await Promise.all([holdNamespace(), holdNamespace()]);
  const peer = ['type', 'veth', 'peer', 'name', receivingInterface, 'netns', String(receiver.pid)];
  runIn(sender, 'ip', 'link', 'add', sendingInterface, ...peer);
  runIn(sender, 'ip', 'link', 'set', sendingInterface, 'up');
  runIn(receiver, 'ip', 'link', 'set', receivingInterface, 'up');
  return {
    sender,
    receiver,
    close() {
      for (const holder of [sender, receiver]) holder.kill('SIGKILL');
    },
  };
}

function holdNamespace() {
  const holder = spawn('unshare', ['--net', 'sh', '-c', 'echo; exec cat'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    holder.once('exit', (code) => reject(new Error(`unshare ended with code ${code}: it needs root`)));
    holder.stdout.once('data', () => resolve(holder));
  });
}

function inside(holder) {
  return ['-t', String(holder.pid), '-n', '--'];
}

function runIn(holder, ...command) {
  const { status, stderr } = spawnSync('nsenter', [...inside(holder), ...command], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command.join(' ')}: ${stderr}`);
}

/** One process of the pacer, which is sent commands and says what it found (docs/helpers.md). */
class Pacer {
  constructor(holder) {
    this.process = spawn('nsenter', [...inside(holder), pacer], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.lines = createInterface({ input: this.process.stdout })[Symbol.asyncIterator]();
  }

  say(command) {
    this.process.stdin.write(`${JSON.stringify(command)}\n`);
  }

  async until(type, onOther = () => {}) {
    for (let line = await this.lines.next(); !line.done; line = await this.lines.next()) {
      const message = JSON.parse(line.value);
      if (message.type === 'failed') throw new Error(message.text);
      if (message.type === type) return message;
      onOther(message);
    }
    throw new Error('the pacer ended');
  }

  end() {
    this.process.stdin.end();
  }
}

/**
 * Sends streams side by side and listens to the first of them.
 * @returns what the first one cost, and what of it came
 */
export async function sendStreams(cable, order) {
  const receiver = new Pacer(cable.receiver);
  const senders = Array.from({ length: order.streams ?? 1 }, () => new Pacer(cable.sender));
  const [first] = senders;
  try {
    receiver.say({ type: 'listen', ...common(order, 1), interface: receivingInterface, ...limitsOf(order) });
    await receiver.until('listening');
    for (const [index, sender] of senders.entries()) {
      sender.say(prepareCommand(order, index + 1));
      await sender.until('prepared');
    }
    const startNs = String(process.hrtime.bigint() + 500_000_000n);
    for (const end of [receiver, ...senders]) end.say({ type: 'begin', startNs });
    const forward = ({ type, windows, untilNs }) => {
      if (type === 'held') receiver.say({ type, windows, untilNs });
    };
    const ends = senders.map((sender) => sender.until('sent', sender === first ? forward : undefined));
    const [sent] = await Promise.all(ends);
    await new Promise((resolve) => setTimeout(resolve, 100));
    receiver.say({ type: 'finish', sent: sent.slots });
    const intervals = {};
    const received = await receiver.until('received', (message) => {
      if (message.type === 'intervals') intervals[message.of] = message;
    });
    return { sent, received, intervals };
  } finally {
    for (const end of [receiver, ...senders]) end.end();
  }
}

const transitNs = 2e6;

function common({ intervalNs }, streamId) {
  return { path: 'ethernet', port: 0, streamId: String(streamId), intervalNs, transitNs };
}

function limitsOf({ intervalNs }) {
  return { lateNs: intervalNs, presentationNs: transitNs, hardware: false, rawLog: '' };
}

function prepareCommand(order, streamId) {
  const { method, intervalNs, packetsPerWakeUp, seconds, core } = order;
  return {
    ...{ type: 'prepare', ...common(order, streamId), interface: sendingInterface, address: '' },
    ...{ vlanId: null, vlanPriority: 3, rateHz: 48000, channels: 2, bits: 16, samples: 6 },
    ...{ method, packetsPerWakeUp, leadNs: 60000, irregularities: '', transmitStamps: false },
    ...{ realTime: true, lockMemory: true, core },
    packets: Math.round((seconds * 1e9) / intervalNs),
  };
}
