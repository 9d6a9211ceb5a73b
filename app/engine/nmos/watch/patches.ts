import { connect } from '../../../nmos/controller/connect';
import { DeviceClient } from '../../../nmos/controller/device-client';
import type { SeenResources, SeenType } from '../../../nmos/controller/resources';
import { RestClient } from '../../../nmos/controller/rest-client';
import { badInput, toProblem, WhitelineError } from '../../../protocol/errors';
import type { Patch } from '../../../protocol/nmos';
import type { RegistryReader } from './registry-reader';
import { shownResource } from './shown-resource';

const mostKept = 20;
/** Asked of devices at once. */
const mostPending = 16;

/** Connections that the operator requested, and their results. */
export class Patches {
  private patches: readonly Patch[] = [];
  private nextId = 1;

  constructor(private readonly onChange: () => void) {}

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
  async connect(reader: RegistryReader, receiverId: string, senderId: string | null): Promise<void> {
    const receiver = reader.all('receiver').get(receiverId);
    if (!receiver) throw badInput('receiverId', 'a receiver in the selected registry', receiverId);
    const device = reader.all('device').get(receiver.deviceId);
    if (!device)
      throw badInput('receiverId', 'a receiver whose device is in the selected registry', receiverId);
    const sender = senderId === null ? null : reader.all('sender').get(senderId);
    if (sender === undefined) throw badInput('senderId', 'a sender in the selected registry', senderId);
    const pending = this.patches.filter(({ state }) => state === 'pending');
    if (pending.length >= mostPending || pending.some((patch) => patch.receiverId === receiverId))
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
    // One of its own: what a device was asked ends with its answer, also where the registry is read no longer.
    const client = new RestClient();
    const ended = await connect(new DeviceClient(client, reader.url), crosspoint)
      .then(
        (became): Patch => ({ ...patch, state: became === 'active' ? 'done' : 'accepted' }),
        (error: unknown): Patch => ({ ...patch, state: 'failed', problem: toProblem(error) }),
      )
      .finally(() => client.close());
    this.patches = this.patches.map((one) => (one.id === patch.id ? ended : one));
    this.onChange();
  }
}

/** The label, or the id where that is empty. */
function nameOf<Type extends SeenType>(type: Type, resource: SeenResources[Type]): string {
  const { label, id } = shownResource(type, resource);
  return label.trim() === '' ? id : label;
}
