import { problemText, toProblem, WhitelineError } from '../../protocol/errors';
import { connectionApisOf } from './connection-control';
import { isFields, type SeenDevice, type SeenReceiver, type SeenSender } from './resources';
import { type RestClient, statusText, wrongAnswer } from './rest-client';
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
  client: RestClient;
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
  /** Null: it was activated. Otherwise why not, and what to do. */
  problem: string | null;
  /** From the first request for it to its answer. */
  tookMs: number;
}

/** Connects one. @throws WhitelineError where that is not possible, or the device refuses it */
export async function connect(
  client: RestClient,
  crosspoint: Crosspoint,
  signal?: AbortSignal,
): Promise<void> {
  await withApi(crosspoint, async (api) => {
    const url = `${api}/single/receivers/${crosspoint.receiver.id}/staged`;
    const body = await staged(client, crosspoint, api, signal);
    const answer = await client.ask({ method: 'PATCH', url, body, signal });
    if (!isDone(answer.status)) throw refused(crosspoint.receiver, statusText(answer));
  });
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
  const { client, signal, atOnce } = options;
  await eachAtOnce(jobs, atOnce, async (job) => {
    const startedMs = performance.now();
    const done = (one: Crosspoint, problem: string | null): void =>
      add({
        ...{ receiverId: one.receiver.id, senderId: one.sender?.id ?? null, problem },
        tookMs: performance.now() - startedMs,
      });
    if (options.by === 'bulk') await connectBatch(job, options, done);
    else for (const one of job) done(one, await problemOf(connect(client, one, signal)));
  });
  return results;
}

/** IS-05 answers an activation with 200; a device that needs time for it, with 202. */
function isDone(code: unknown): boolean {
  return code === 200 || code === 202;
}

function refused({ id, label }: SeenReceiver, reason: string): WhitelineError {
  return new WhitelineError({
    code: 'TOOL_FAILED',
    message: `The device of the receiver ${label || id} refuses it: ${reason}`,
    ...{ field: 'receiver', value: id },
    remedy:
      'See whether receiver and sender are of one transport and format, and whether another controller has locked it',
  });
}

async function problemOf(done: Promise<unknown>): Promise<string | null> {
  try {
    await done;
    return null;
  } catch (error) {
    return problemText(toProblem(error));
  }
}

function staged(
  client: RestClient,
  { sender, receiver, senderDevice }: Crosspoint,
  api: string,
  signal?: AbortSignal,
): Promise<StagedReceiver> {
  if (!sender) return Promise.resolve(nothingStaged);
  const apis = { sender: senderDevice && connectionApisOf(senderDevice)[0], receiver: api };
  return stagedFor(client, sender, receiver, apis, signal);
}

/** A device may be reached by several addresses: the next is tried where one does not answer. */
async function withApi({ device, receiver }: Crosspoint, act: (api: string) => Promise<void>): Promise<void> {
  let problem: unknown = noApi(device, receiver);
  for (const api of connectionApisOf(device)) {
    try {
      await act(api);
      return;
    } catch (error) {
      problem = error;
      if (!(error instanceof WhitelineError) || error.code !== 'NOT_FOUND') break;
    }
  }
  throw problem;
}

function noApi({ id, label }: SeenDevice, receiver: SeenReceiver): WhitelineError {
  return new WhitelineError({
    code: 'REQUIREMENT_MISSING',
    message: `The device ${label || id} of the receiver ${receiver.label || receiver.id} has no Connection API (IS-05) of v1.1 or v1.0`,
    ...{ field: 'device', value: id },
    remedy: 'Connect it by its own controls, or let its maker serve IS-05',
  });
}

/** Of one address, no more than a device that takes 1 MB takes with a transport file each. */
const largestBatch = 250;
/** Of requests for transport files, while a batch is made. */
const filesAtOnce = 16;

function batchesOf(crosspoints: readonly Crosspoint[]): Crosspoint[][] {
  const byApi = new Map<string, Crosspoint[]>();
  for (const one of crosspoints) {
    const [api = ''] = connectionApisOf(one.device);
    const same = byApi.get(api) ?? [];
    same.push(one);
    byApi.set(api, same);
  }
  return [...byApi.values()].flatMap((all) =>
    Array.from({ length: Math.ceil(all.length / largestBatch) }, (_, index) =>
      all.slice(index * largestBatch, (index + 1) * largestBatch),
    ),
  );
}

/** POST of /bulk/receivers. */
async function connectBatch(
  batch: readonly Crosspoint[],
  { client, signal }: ConnectOptions,
  done: (one: Crosspoint, problem: string | null) => void,
): Promise<void> {
  const entries: { id: string; params: StagedReceiver }[] = [];
  const [api] = batch.flatMap(({ device }) => connectionApisOf(device));
  const sent: Crosspoint[] = [];
  await eachAtOnce(batch, filesAtOnce, async (one) => {
    const problem = await problemOf(
      api === undefined
        ? Promise.reject(noApi(one.device, one.receiver))
        : staged(client, one, api, signal).then((params) => entries.push({ id: one.receiver.id, params })),
    );
    if (problem === null) sent.push(one);
    else done(one, problem);
  });
  if (sent.length === 0) return;
  const url = `${api}/bulk/receivers`;
  const answers = await bulkAnswers(client, url, entries, signal).catch((error: unknown) => error);
  for (const one of sent) {
    if (!(answers instanceof Map)) {
      done(one, problemText(toProblem(answers)));
      continue;
    }
    const answer: unknown = answers.get(one.receiver.id);
    const reason = reasonOf(answer);
    done(one, reason === null ? null : problemText(refused(one.receiver, reason)));
  }
}

/** By receiver. @throws WhitelineError */
async function bulkAnswers(
  client: RestClient,
  url: string,
  body: unknown,
  signal?: AbortSignal,
): Promise<Map<unknown, unknown>> {
  const answer = await client.ask({ method: 'POST', url, body, signal });
  if (answer.status !== 200) throw wrongAnswer(url, 'a list of what became of each', statusText(answer));
  if (!Array.isArray(answer.body))
    throw wrongAnswer(url, 'a list of what became of each', answer.text.slice(0, 100));
  return new Map(answer.body.filter(isFields).map((one) => [one.id, one]));
}

function reasonOf(answer: unknown): string | null {
  if (!isFields(answer)) return 'it said nothing of it';
  return isDone(answer.code) ? null : statusText({ status: Number(answer.code), body: answer });
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
