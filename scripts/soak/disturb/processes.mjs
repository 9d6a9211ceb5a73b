import { readdirSync, readFileSync } from 'node:fs';

/** What of /proc a disturbance needs: who belongs to a command, what each of them is, and in which state. */

const roles = [
  [/streamhost\.cjs sending/, 'sending'],
  [/streamhost\.cjs receiving/, 'receiving'],
  [/streamhost\.cjs content/, 'content'],
  [/whiteline-pacer/, 'pacer'],
  [/whiteline-fanout/, 'fan-out'],
  [/nmos-programs\.cjs registry/, 'registry'],
  [/nmos-programs\.cjs nodes/, 'nodes'],
  [/nmos-programs\.cjs controller/, 'controller'],
  [/^(\S*\/)?iperf3 /, 'iperf3'],
  [/^(\S*\/)?fio /, 'fio'],
  [/^(\S*\/)?ping /, 'ping'],
  [/^(\S*\/)?ffmpeg /, 'ffmpeg'],
];

/** Programs of others that measure or play for us. */
export const toolRoles = ['iperf3', 'fio', 'ping', 'ffmpeg'];

/** What a process is by its command line; null if no disturbance is meant for it, such as the guardian of a file. */
export function roleOf(commandLine, locksMemory = () => false) {
  const role = roles.find(([pattern]) => pattern.test(commandLine))?.[1] ?? null;
  return role === 'pacer' ? `${role} that ${locksMemory() ? 'sends' : 'receives'}` : role;
}

/** Of the two pacers, whose command lines are equal, the sender does. */
function locksMemory(pid) {
  return /^VmLck:\s+[1-9]/m.test(read(`/proc/${pid}/status`) ?? '');
}

/** The command itself, which is the engine, and what it started, with their roles. Those that are gone are left out. */
export function targetsOf(root, prefix = '') {
  const found = [{ pid: root, role: 'engine' }];
  for (const pid of descendantsOf(root)) {
    const role = roleOf(read(`/proc/${pid}/cmdline`)?.replace(/\0/g, ' ') ?? '', () => locksMemory(pid));
    if (role !== null) found.push({ pid, role });
  }
  return found.filter(({ pid }) => isAlive(pid)).map(({ pid, role }) => ({ pid, role: prefix + role }));
}

export function descendantsOf(root) {
  const found = [];
  const waiting = [root];
  for (let pid = waiting.pop(); pid !== undefined; pid = waiting.pop()) {
    const children = childrenOf(pid);
    found.push(...children);
    waiting.push(...children);
  }
  return found;
}

function childrenOf(pid) {
  let threads = [];
  try {
    threads = readdirSync(`/proc/${pid}/task`);
  } catch {
    // It is gone.
  }
  return threads.flatMap((thread) =>
    (read(`/proc/${pid}/task/${thread}/children`) ?? '').split(' ').filter(Boolean).map(Number),
  );
}

/** The letter of its state, such as R, S, D, T or Z; null if the process is gone. */
export function stateOf(pid) {
  return statOf(pid)?.[0] ?? null;
}

export function isAlive(pid) {
  return !['Z', 'X', null].includes(stateOf(pid));
}

/** Ticks that a process has run, and those of its children that have ended and were waited for. */
export function ticksOf(pid) {
  const stat = statOf(pid);
  if (stat === null) return { own: 0, ended: 0 };
  const [user, system, childrenUser, childrenSystem] = stat.slice(11, 15).map(Number);
  return { own: user + system, ended: childrenUser + childrenSystem };
}

/** The fields of /proc/PID/stat from the state on: what stands before it may hold blanks and brackets. */
function statOf(pid) {
  const text = read(`/proc/${pid}/stat`);
  return text === null ? null : text.slice(text.lastIndexOf(')') + 2).split(' ');
}

/** Ticks of all cores since the start of the machine. */
export function machineTicks() {
  const [user, nice, system, idle, wait, interrupt, softInterrupt, steal] = read('/proc/stat')
    .split('\n', 1)[0]
    .trim()
    .split(/\s+/)
    .slice(1)
    .map(Number);
  const busy = user + nice + system + interrupt + softInterrupt;
  return { busy, steal, total: busy + steal + idle + wait };
}

/** UDP datagrams that found a socket's buffer full, of all programs, since the start of the machine. */
export function datagramsOverflowed() {
  const [names, values] = read('/proc/net/snmp')
    .split('\n')
    .filter((line) => line.startsWith('Udp:'))
    .map((line) => line.trim().split(/\s+/));
  return Number(values[names.indexOf('RcvbufErrors')]);
}

function read(path) {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return null;
  }
}
