import {
  type ArchiveCommand,
  type ArchiveCommandName,
  type ArchiveCommands,
  type ArchiveMessage,
  type ArchiveResult,
  archiveCommands,
} from '../../app/protocol/archive';
import type { CommandRequest } from '../../app/protocol/command-table';
import type { Problem } from '../../app/protocol/errors';
import { type Answer, Asker } from '../../app/rpc/asker';
import { texts } from '../texts';

const archiveGone: Problem = {
  code: 'INTERNAL',
  message: texts.sessions.archiveGone,
  remedy: texts.sessions.archiveGoneRemedy,
};

/**
 * The window's end of the port to the archive. What is asked before there is a port waits for it; what an archive that
 * ended did not answer is refused.
 */
export class ArchiveClient {
  private port: MessagePort | null = null;
  private unsent: CommandRequest[] = [];
  private readonly asker: Asker<ArchiveCommands> = new Asker(archiveCommands, (request) => {
    if (this.port) this.port.postMessage(request);
    else this.unsent.push(request);
  });

  constructor(private readonly onChanged: () => void) {}

  takePort(port: MessagePort): void {
    this.drop();
    this.port = port;
    port.onmessage = ({ data }: MessageEvent<ArchiveMessage>) => {
      if (data.type === 'reply') this.asker.take(data);
      else this.onChanged();
    };
    for (const request of this.unsent) port.postMessage(request);
    this.unsent = [];
    this.onChanged();
  }

  ask<Name extends ArchiveCommandName>(command: ArchiveCommand<Name>): Promise<Answer<ArchiveResult<Name>>> {
    return this.asker.answer(command);
  }

  /** The archive has ended: nothing that it was sent will be answered. */
  drop(): void {
    this.port?.close();
    this.port = null;
    this.asker.drop(archiveGone, new Set(this.unsent.map(({ requestId }) => requestId)));
  }
}
