import type { ReportTools } from '../engine/reports/export';
import type { FilePurpose } from '../protocol/granted-file';
import type { ExportKind } from '../protocol/shell';

/** What the archive needs of the application around it. Paths that are chosen come from the operator alone. */
export interface ArchiveApplication extends ReportTools {
  /** Null where the operator chose none, as in all of these. */
  choosePicture(): Promise<string | null>;
  chooseImport(): Promise<string | null>;
  chooseExport(kind: ExportKind, suggestedName: string): Promise<string | null>;
  /** What a window's word stands for; null: for nothing, or nothing more. */
  redeemGrant(purpose: FilePurpose, grant: string): Promise<string | null>;
  /** Opens a file with the system's own program for it. */
  open(path: string): Promise<void>;
  /** Shows a file in its folder, which on macOS might be called like a program. */
  show(path: string): Promise<void>;
}
