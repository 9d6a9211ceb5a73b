import { WhitelineError } from '../../protocol/errors';
import { plainLine } from '../../protocol/plain-text';
import { sdpType } from '../node/sdp';
import { sessionText } from '../node/sdp-reader';
import { connectionApisOf, readAtOneOf } from './connection-control';
import type { DeviceClient } from './device-client';
import { shown } from './query-api';
import { isFields, type SeenDevice, type SeenReceiver, type SeenSender } from './resources';
import { type Question, statusText, wrongAnswer } from './rest-client';

/** What a receiver is sent so that it takes a sender: IS-05 PATCH of /staged. */

export interface StagedReceiver {
  sender_id: string | null;
  master_enable: boolean;
  activation: { mode: 'activate_immediate' };
  transport_file?: { data: string; type: string };
  transport_params?: Record<string, unknown>[];
}

const activation = { mode: 'activate_immediate' } as const;
const largestFileBytes = 200_000;
const rtp = 'urn:x-nmos:transport:rtp';

/** Of a receiver that is to take nothing. */
export const nothingStaged: StagedReceiver = { sender_id: null, master_enable: false, activation };

/**
 * With the sender's transport file where it has one, else with those of its active transport parameters that the receiver has too.
 * @param senderDevice is asked where the address of the transport file does not give it, and for a sender without one
 * @param receiverApi address of its Connection API
 * @throws WhitelineError if neither can be read
 */
export async function stagedFor(
  client: DeviceClient,
  sender: SeenSender,
  receiver: SeenReceiver,
  senderDevice: SeenDevice | undefined,
  receiverApi: string,
  signal?: AbortSignal,
): Promise<StagedReceiver> {
  const staged = { sender_id: sender.id, master_enable: true, activation };
  const device = senderDevice ?? sender;
  const urls = (senderDevice ? connectionApisOf(senderDevice) : []).map(
    (api) => `${api}/single/senders/${sender.id}`,
  );
  if (sender.manifestHref !== null) {
    const files = new Set([sender.manifestHref, ...urls.map((url) => `${url}/transportfile`)]);
    const transport_file = await readAtOneOf([...files], device, (url, timeoutMs) =>
      transportFile(client, { url, timeoutMs, signal }),
    );
    return { ...staged, transport_file };
  }
  // Its parameters have other names than a receiver's (IS-05, "Behaviour: RTP Transport Type").
  if (sender.transport.startsWith(rtp)) throw noFile(sender, 'RTP needs one');
  if (urls.length === 0) throw noFile(sender, 'its device has no Connection API (IS-05) of v1.1 or v1.0');
  const active = await readAtOneOf(urls, device, (url, timeoutMs) =>
    legsAt(client, { url: `${url}/active`, timeoutMs, signal }),
  );
  const url = `${receiverApi}/single/receivers/${receiver.id}/constraints`;
  const taken = await legsAt(client, { url, signal });
  const transport_params = taken.map((constraints, index) => {
    const names = Object.keys(constraints);
    return Object.fromEntries(Object.entries(active[index] ?? {}).filter(([name]) => names.includes(name)));
  });
  return { ...staged, transport_params };
}

function noFile({ id, label }: SeenSender, why: string): WhitelineError {
  return new WhitelineError({
    code: 'REQUIREMENT_MISSING',
    message: `The sender ${plainLine(label) || id} has no transport file, and ${why}`,
    ...{ field: 'sender', value: id },
    remedy:
      'Switch the sender on, so that it has a transport file, or connect the receiver by its own controls',
  });
}

type Reading = Pick<Question, 'url' | 'timeoutMs' | 'signal'>;

async function transportFile(
  client: DeviceClient,
  reading: Reading,
): Promise<{ data: string; type: string }> {
  const { url } = reading;
  const asking = { accept: `${sdpType}, */*;q=0.5`, largestBytes: largestFileBytes };
  const answer = await client.ask({ method: 'GET', ...reading, ...asking });
  const expected = 'the transport file of the sender';
  if (answer.status !== 200) throw wrongAnswer(url, expected, statusText(answer));
  const [type = ''] = (answer.headers['content-type'] ?? '').split(';');
  const isSdp = type.trim() === '' || type.trim().toLowerCase() === sdpType;
  if (!isSdp)
    throw wrongAnswer(url, `${expected}, of type ${sdpType},`, `one of type ${type.trim().slice(0, 100)}`);
  // The address is the registry's word: what else is there goes to no device.
  const data = sessionText(answer.text);
  if (data === null) throw wrongAnswer(url, `${expected}, which begins with v=0,`, shown(answer.text));
  return { data, type: sdpType };
}

/** Of `/active`, its transport parameters; `/constraints` are such a list themselves. */
async function legsAt(client: DeviceClient, reading: Reading): Promise<Readonly<Record<string, unknown>>[]> {
  const { url } = reading;
  const answer = await client.ask({ method: 'GET', ...reading });
  const { status, body } = answer;
  if (status !== 200) throw wrongAnswer(url, 'transport parameters', statusText(answer));
  const legs = isFields(body) ? body.transport_params : body;
  if (!Array.isArray(legs)) throw wrongAnswer(url, 'a list of legs', plainLine(answer.text.slice(0, 100)));
  return legs.filter(isFields);
}
