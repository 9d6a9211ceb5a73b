import type { Clock } from '../../protocol/clock';
import { problemText, toProblem, WhitelineError } from '../../protocol/errors';
import { plainLine } from '../../protocol/plain-text';
import { monotonicMs } from '../monotonic-ms';
import { type Activation, activationOf, bulkActivationOf, type Refusal } from './activated';
import { apiThatHas, connectionApisOf } from './connection-control';
import type { DeviceClient } from './device-client';
import { isFields, type SeenDevice, type SeenReceiver, type SeenSender } from './resources';
import { statusText, wrongAnswer } from './rest-client';
import { nothingStaged, type StagedReceiver, stagedFor } from './staged';

/** Connecting receivers with senders by IS-05 v1.0 and v1.1, at once and each by itself or many in one request. */

export interface Crosspoint {
  receiver: SeenReceiver;
  /** Of the receiver. */
  device: SeenDevice;
  /** Null: the receiver is to take nothing. */
  sender: SeenSender | null;
  /** Of the sender; needed where the sender has no transport file. */
  senderDevice?: SeenDevice;
}

export interface ConnectOptions {
  client: DeviceClient;
  clock: Clock;
  /** Requests at a time. Each crosspoint by itself, or those of one device address together. */
  atOnce: number;
  by: 'single' | 'bulk';
  signal?: AbortSignal;
  /** As each is answered. */
  onResult?: (result: ConnectResult) => void;
}

export interface ConnectResult {
  receiverId: string;
  senderId: string | null;
  /** Null: it was activated, or will be. Otherwise why not, and what to do. */
  problem: string | null;
  /** The device has accepted it, and it is not active yet. */
  isWaiting: boolean;
  /** From the first request for it to its answer. */
  tookMs: number;
}

/** What a device made of it: waiting: it has accepted it, and it is not active yet. */
export type Connected = Exclude<Activation['is'], 'refused'>;

/** Connects one. @throws WhitelineError if that is not possible, or the device refuses it or does something else */
export async function connect(
  client: DeviceClient,
  crosspoint: Crosspoint,
  signal?: AbortSignal,
): Promise<Connected> {
  const { device, receiver } = crosspoint;
  // Found before anything is changed, so that no device is asked for a change twice.
  const api = await apiThatHas(`single/receivers/${receiver.id}/constraints`, device, client, signal);
  if (api === undefined) throw noApi(device, receiver);
  const url = `${api}/single/receivers/${receiver.id}/staged`;
  const body = await staged(client, crosspoint, api, signal);
  const answer = await client.ask({ method: 'PATCH', url, body, signal });
  return connectedBy(crosspoint, activationOf(body, answer.status, answer.body));
}

/** Connects many; what becomes of one is no matter of the others. */
export async function connectAll(
  crosspoints: readonly Crosspoint[],
  options: ConnectOptions,
): Promise<ConnectResult[]> {
  const results: ConnectResult[] = [];
  const add = (result: ConnectResult): void => {
    results.push(result);
    options.onResult?.(result);
  };
  const jobs = options.by === 'single' ? crosspoints.map((one) => [one]) : batchesOf(crosspoints);
  const { client, clock, signal, atOnce } = options;
  await eachAtOnce(jobs, atOnce, async (job) => {
    const startedMs = monotonicMs(clock);
    const done: Done = (one, became) =>
      add({
        ...{ receiverId: one.receiver.id, senderId: one.sender?.id ?? null, ...became },
        tookMs: monotonicMs(clock) - startedMs,
      });
    if (options.by === 'bulk') await connectBatch(job, options, done);
    else for (const one of job) done(one, await became(connect(client, one, signal)));
  });
  return results;
}

type Became = Pick<ConnectResult, 'problem' | 'isWaiting'>;
type Done = (one: Crosspoint, became: Became) => void;

/** @throws WhitelineError for a refusal */
function connectedBy({ receiver }: Crosspoint, activation: Activation): Connected {
  if (activation.is === 'refused') throw refused(receiver, activation.reason);
  return activation.is;
}

function refused({ id, label }: SeenReceiver, { text, isBare }: Refusal): WhitelineError {
  return new WhitelineError({
    code: 'TOOL_FAILED',
    message: `The device of the receiver ${label || id} refuses the change: ${plainLine(text)}`,
    ...{ field: 'receiver', value: id },
    // What to do follows from the device's own words, where it has some.
    ...(isBare && {
      remedy:
        'Check that receiver and sender have the same transport and format, and that no other controller has locked the receiver',
    }),
  });
}

async function became(done: Promise<Connected>): Promise<Became> {
  try {
    return { problem: null, isWaiting: (await done) === 'waiting' };
  } catch (error) {
    return failed(error);
  }
}

function failed(error: unknown): Became {
  return { problem: problemText(toProblem(error)), isWaiting: false };
}

function staged(
  client: DeviceClient,
  { sender, receiver, senderDevice }: Crosspoint,
  api: string,
  signal?: AbortSignal,
): Promise<StagedReceiver> {
  if (!sender) return Promise.resolve(nothingStaged);
  return stagedFor(client, sender, receiver, senderDevice, api, signal);
}

function noApi({ id, label }: SeenDevice, receiver: SeenReceiver): WhitelineError {
  return new WhitelineError({
    code: 'REQUIREMENT_MISSING',
    message: `The device ${label || id} of the receiver ${receiver.label || receiver.id} has no Connection API (IS-05) of v1.1 or v1.0`,
    ...{ field: 'device', value: id },
    remedy: 'Use the controls of the device, or ask its maker for IS-05',
  });
}

/** Of one device, no more than a device that takes 1 MB takes with a transport file each. */
const largestBatch = 250;
/** Of requests for transport files, while a batch is made. */
const filesAtOnce = 16;

function batchesOf(crosspoints: readonly Crosspoint[]): Crosspoint[][] {
  const byApis = new Map<string, Crosspoint[]>();
  for (const one of crosspoints) {
    const apis = connectionApisOf(one.device).join(' ');
    const same = byApis.get(apis) ?? [];
    same.push(one);
    byApis.set(apis, same);
  }
  return [...byApis.values()].flatMap((all) =>
    Array.from({ length: Math.ceil(all.length / largestBatch) }, (_, index) =>
      all.slice(index * largestBatch, (index + 1) * largestBatch),
    ),
  );
}

/** POST of /bulk/receivers. */
async function connectBatch(
  batch: readonly Crosspoint[],
  { client, signal }: ConnectOptions,
  done: Done,
): Promise<void> {
  const [first] = batch;
  if (!first) return;
  const address = apiThatHas('single/receivers/', first.device, client, signal);
  const sent = new Map<Crosspoint, StagedReceiver>();
  await eachAtOnce(batch, filesAtOnce, async (one) => {
    try {
      const api = await address;
      if (api === undefined) throw noApi(one.device, one.receiver);
      sent.set(one, await staged(client, one, api, signal));
    } catch (error) {
      done(one, failed(error));
    }
  });
  if (sent.size === 0) return;
  const url = `${await address}/bulk/receivers`;
  const entries = [...sent].map(([{ receiver }, params]) => ({ id: receiver.id, params }));
  const answers = bulkAnswers(client, url, entries, signal);
  for (const [one, params] of sent)
    done(
      one,
      await became(
        answers.then((all) => connectedBy(one, bulkActivationOf(params, all.get(one.receiver.id)))),
      ),
    );
}

/** By receiver. @throws WhitelineError */
async function bulkAnswers(
  client: DeviceClient,
  url: string,
  body: unknown,
  signal?: AbortSignal,
): Promise<Map<unknown, unknown>> {
  const answer = await client.ask({ method: 'POST', url, body, signal });
  if (answer.status !== 200) throw wrongAnswer(url, 'a list of results', statusText(answer));
  if (!Array.isArray(answer.body)) throw wrongAnswer(url, 'a list of results', answer.text.slice(0, 100));
  return new Map(answer.body.filter(isFields).map((one) => [one.id, one]));
}

async function eachAtOnce<One>(
  all: readonly One[],
  atOnce: number,
  act: (one: One) => Promise<void>,
): Promise<void> {
  const left = all.values();
  const worker = async (): Promise<void> => {
    for (const one of left) await act(one);
  };
  await Promise.all(Array.from({ length: Math.min(Math.max(1, atOnce), all.length) }, worker));
}
