import type { ReportTools } from '../engine/reports/export';
import type { FilePurpose, GrantedFile } from '../protocol/granted-file';
import type { ExportKind } from '../protocol/shell';

/** What the archive needs of the application around it. Paths that are chosen come from the operator alone. */
export interface ArchiveApplication extends ReportTools {
  /** Null if the operator chose none, as in all of these. */
  choosePicture(): Promise<string | null>;
  chooseImport(): Promise<string | null>;
  chooseExport(kind: ExportKind, suggestedName: string): Promise<GrantedFile | null>;
  /** What a window's word stands for; null: for nothing, or nothing more. */
  redeemGrant(purpose: FilePurpose, grant: string): Promise<string | null>;
  /** Opens a file with the system's own program for it; null: that was done, otherwise the window opens it by this word. */
  open(path: string): Promise<GrantedFile | null>;
  /** Shows a file in its folder, which on macOS might be called like a program. */
  show(path: string): Promise<void>;
}
