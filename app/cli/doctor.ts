import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { windowsBooks } from '../engine/load/windows-books';
import { readDiscoveryDaemon } from '../engine/machine/discovery-daemon';
import { readThreadPolicy, threadPolicyText } from '../engine/machine/thread-policy';
import { readClockSync } from '../engine/sessions/clock-sync';
import { ndiCandidates } from '../engine/streams/ndi-candidates';
import { clockAdvice, clockText, startDaemon } from '../facts/machine-words';
import { exitCodes, problemText, toProblem } from '../protocol/errors';
import { howToGet } from '../protocol/how-to-get';
import type { DiscoveredSource } from '../protocol/records';
import type { ThreadPolicyFacts } from '../protocol/thread-policy';
import { ndiRuntimeOf } from '../protocol/transports';
import { appFolder, ndiPath } from './folders';
import { withReceivingHost } from './hosts';
import { runsFolder } from './settings';
import { linesOf, print, printJson } from './terminal';

type State = 'ok' | 'warning' | 'problem';

interface Finding {
  name: string;
  state: State;
  text: string;
  /** What to do about it. */
  advice?: string;
}

/**
 * Checks everything the instrument needs; exit code 3 when something it cannot do without is absent.
 * @param settingsProblem why the console's settings are not in force
 */
export async function doctor(flags: { json?: boolean }, settingsProblem: string | null): Promise<number> {
  const findings = [
    ...(await ndiFindings()),
    await toolFinding('ffmpeg', 'plays movies that are not Hap, resizes movies, makes test content'),
    await toolFinding('ffprobe', 'reads the size and rate of a movie that is not Hap'),
    await discoveryFinding(),
    await gpuFinding(),
    loadFinding(),
    await clockFinding(),
    settingsFinding(settingsProblem),
  ];
  for (const finding of findings) {
    if (flags.json) printJson(finding);
    else {
      const texts = [`${finding.name}: ${finding.text}`, finding.advice ?? []].flat().flatMap(linesOf);
      print(...texts.map((line, index) => `${(index === 0 ? finding.state : '').padEnd(8)} ${line}`));
    }
  }
  return findings.some((finding) => finding.state === 'problem') ? exitCodes.environment : exitCodes.pass;
}

async function ndiFindings(): Promise<Finding[]> {
  try {
    return await withReceivingHost(async (host, ready) => {
      if (ready.addonProblem) {
        return [{ name: 'native addon', state: 'problem', text: problemText(ready.addonProblem) }];
      }
      const addon: Finding = { name: 'native addon', state: 'ok', text: 'loaded' };
      const threads = threadFinding(await readThreadPolicy(host));
      const ndi = ndiRuntimeOf(ready.transport);
      if (!ndi) {
        const problem = ready.transportProblem;
        const tried = ndiCandidates(ndiPath(), appFolder).join(', ');
        const text = problem ? problem.message : `no runtime found (tried ${tried})`;
        return [addon, threads, { name: 'NDI runtime', state: 'problem', text, advice: problem?.remedy }];
      }
      const sources = (await host.request({ name: 'discover', seconds: 1.5 })) as DiscoveredSource[];
      return [
        addon,
        threads,
        { name: 'NDI runtime', state: 'ok', text: `${ndi.version} from ${ndi.path}` },
        {
          name: 'NDI sources',
          state: 'ok',
          text: sources.length === 0 ? 'none on the network now' : namesOf(sources).join(', '),
        },
      ] satisfies Finding[];
    });
  } catch (error) {
    return [{ name: 'stream process', state: 'problem', text: problemText(toProblem(error)) }];
  }
}

/** A sender with several addresses is listed with each. */
function namesOf(sources: readonly DiscoveredSource[]): string[] {
  return [...new Set(sources.map(({ name }) => name))];
}

function threadFinding(policy: ThreadPolicyFacts): Finding {
  const finding: Finding = { name: 'thread policy', state: 'ok', text: threadPolicyText(policy) };
  if (!('realTime' in policy.refused)) return finding;
  return {
    ...finding,
    advice: `For real-time priority: ${howToGet('real-time priority')}`,
  };
}

function toolFinding(tool: string, use: string): Promise<Finding> {
  return new Promise((resolve) => {
    execFile(tool, ['-version'], (error, output) => {
      if (!error) resolve({ name: tool, state: 'ok', text: output.split('\n')[0] ?? '' });
      else
        resolve({
          name: tool,
          state: 'problem',
          text: `not found; it ${use}`,
          advice: howToGet('ffmpeg'),
        });
    });
  });
}

async function discoveryFinding(): Promise<Finding> {
  const name = 'discovery (mDNS)';
  const { isLooked, isRunning, busAnswers } = await readDiscoveryDaemon();
  if (!isLooked) return { name, state: 'ok', text: 'by the system; Whiteline was not tested on this system' };
  if (isRunning && busAnswers) return { name, state: 'ok', text: 'avahi-daemon is running' };
  const what = isRunning ? 'D-Bus accepts no connection' : 'avahi-daemon is not running';
  return {
    name,
    state: 'warning',
    text: `${what}: only senders on this machine and at known addresses are found`,
    advice: `Debian: ${startDaemon}`,
  };
}

function gpuFinding(): Promise<Finding> {
  const engines = windowsBooks()?.gpuEngines();
  if (typeof engines === 'object') return Promise.resolve(counted(engines.length));
  return new Promise((resolve) => {
    execFile('nvidia-smi', ['-L'], (error, output) => {
      if (!error) resolve({ name: 'GPU load', state: 'ok', text: output.trim() });
      else
        resolve({
          name: 'GPU load',
          state: 'warning',
          text: `not measured: ${engines ?? 'no NVIDIA driver (nvidia-smi was not found)'}`,
        });
    });
  });
}

function counted(engines: number): Finding {
  return { name: 'GPU load', state: 'ok', text: `from Windows’ counters; ${engines} are in use` };
}

function loadFinding(): Finding {
  const name = 'CPU and network load';
  if (windowsBooks()) return { name, state: 'ok', text: 'from the books of Windows' };
  if (existsSync('/proc/stat') && existsSync('/proc/net/dev'))
    return { name, state: 'ok', text: 'from /proc' };
  return { name, state: 'warning', text: 'not measured on this system: /proc is absent' };
}

function settingsFinding(problem: string | null): Finding {
  const name = 'settings';
  if (problem === null) return { name, state: 'ok', text: `runs are kept in ${runsFolder()}` };
  return { name, state: 'warning', text: problem, advice: 'Set them again in the console' };
}

async function clockFinding(): Promise<Finding> {
  const { state, by, offsetUs, detail } = await readClockSync();
  const finding = { name: 'wall clock', text: clockText(state, by, offsetUs, detail) };
  if (state === 'synchronised') return { ...finding, state: 'ok' };
  return { ...finding, state: 'warning', advice: `${clockAdvice}. ${howToGet('a clock that is kept')}` };
}
