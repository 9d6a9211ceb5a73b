import type { ReceiverReport } from '../../protocol/host';
import { parseSenderName } from '../../protocol/shared-name';

/**
 * Whether a receiver is connected to the sender that its stream began with: another one may take the port of a sender that ended.
 * Each connection begins with the sender's name; a sender of another make, or of an earlier version, sends none.
 */
export class ConnectedName {
  private first: string | null = null;
  /** Another name was reported than the first one. */
  isOther = false;

  hear({ metadata, status }: Pick<ReceiverReport, 'metadata' | 'status'>): void {
    if (status?.connections === 0) this.isOther = false;
    for (const xml of metadata) {
      const name = parseSenderName(xml);
      if (name === null) continue;
      this.first ??= name;
      this.isOther = name !== this.first;
    }
  }
}
