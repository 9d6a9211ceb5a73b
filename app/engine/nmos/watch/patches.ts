import { type Connected, type Crosspoint, connect } from '../../../nmos/controller/connect';
import { DeviceClient } from '../../../nmos/controller/device-client';
import type { SeenDevice, SeenResources, SeenType } from '../../../nmos/controller/resources';
import { RestClient } from '../../../nmos/controller/rest-client';
import type { Clock } from '../../../protocol/clock';
import { badInput, toProblem, WhitelineError } from '../../../protocol/errors';
import type { Patch } from '../../../protocol/nmos';
import { plainLine } from '../../../protocol/plain-text';
import type { RegistryReader } from './registry-reader';
import { shownResource } from './shown-resource';

const mostKept = 20;
/** Asked of devices at once. */
const mostPending = 16;
/** For one patch, at all addresses of its device: it may outlive the screen, and meet an experiment. */
const longestMs = 10_000;

/** Connections that the operator requested, and their results. */
export class Patches {
  private patches: readonly Patch[] = [];
  private nextId = 1;
  /** Receivers of those that no device has answered yet, those of a registry that was left among them. */
  private readonly pending = new Set<string>();
  /** One for each of them: what a device was asked ends with its answer, also where the registry is read no longer. */
  private readonly clients = new Set<RestClient>();

  constructor(
    private readonly clock: Clock,
    private readonly onChange: () => void,
  ) {}

  get all(): Patch[] {
    return [...this.patches];
  }

  forget(): void {
    this.patches = [];
  }

  /**
   * Resolves when the device has answered; the patch holds the result.
   * @throws WhitelineError for a resource that the registry does not hold, or with too many pending requests
   */
  async connect(
    reader: Pick<RegistryReader, 'url' | 'all'>,
    receiverId: string,
    senderId: string | null,
  ): Promise<void> {
    const receiver = reader.all('receiver').get(receiverId);
    if (!receiver) throw badInput('receiverId', 'a receiver in the selected registry', receiverId);
    const device = reader.all('device').get(receiver.deviceId);
    if (!device)
      throw badInput('receiverId', 'a receiver whose device is in the selected registry', receiverId);
    const sender = senderId === null ? null : reader.all('sender').get(senderId);
    if (sender === undefined) throw badInput('senderId', 'a sender in the selected registry', senderId);
    if (this.pending.size >= mostPending || this.pending.has(receiverId))
      throw new WhitelineError({
        code: 'BAD_INPUT',
        message: 'Earlier connection requests are still pending',
        remedy: 'Wait for their answers, then try again',
      });
    const names = { receiver: nameOf('receiver', receiver), sender: sender && nameOf('sender', sender) };
    const patch: Patch = {
      ...{ id: this.nextId++, receiverId, senderId, names },
      ...{ state: 'pending', problem: null },
    };
    this.patches = [...this.patches, patch].slice(-mostKept);
    this.onChange();
    const senderDevice = sender ? reader.all('device').get(sender.deviceId) : undefined;
    const crosspoint = { receiver, device, sender, senderDevice };
    this.pending.add(receiverId);
    const ended = await this.asked(reader.url, crosspoint)
      .then(
        (became): Patch => ({ ...patch, state: became === 'active' ? 'done' : 'accepted' }),
        (error: unknown): Patch => ({ ...patch, state: 'failed', problem: toProblem(error) }),
      )
      .finally(() => this.pending.delete(receiverId));
    this.patches = this.patches.map((one) => (one.id === patch.id ? ended : one));
    this.onChange();
  }

  /** What is under way now fails. */
  close(): void {
    for (const client of this.clients) client.close();
  }

  private async asked(registry: string, crosspoint: Crosspoint): Promise<Connected> {
    const client = new RestClient();
    this.clients.add(client);
    let isLate = false;
    const stopWaiting = this.clock.after(longestMs, () => {
      isLate = true;
      client.close();
    });
    try {
      return await connect(new DeviceClient(client, registry), crosspoint);
    } catch (error) {
      throw isLate ? noAnswer(crosspoint) : error;
    } finally {
      stopWaiting();
      client.close();
      this.clients.delete(client);
    }
  }
}

function noAnswer({ device, senderDevice }: Crosspoint): WhitelineError {
  const named = (one: SeenDevice): string => `the device ${plainLine(one.label) || one.id}`;
  const isOther = senderDevice !== undefined && senderDevice.id !== device.id;
  const whose = isOther ? `${named(device)} or ${named(senderDevice)} of the sender` : named(device);
  return new WhitelineError({
    code: 'NOT_FOUND',
    message: `No answer within ${longestMs / 1000} s from ${whose}`,
    ...{ field: 'device', value: device.id },
    remedy: 'Check that the device runs, and that its addresses in the registry are right',
  });
}

/** The label, or the id where that is empty. */
function nameOf<Type extends SeenType>(type: Type, resource: SeenResources[Type]): string {
  const { label, id } = shownResource(type, resource);
  return label.trim() === '' ? id : label;
}
