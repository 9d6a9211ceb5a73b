/** The native addon for the rest of the house: how to load it, and its types. */
export { type Addon, findAddon, loadAddon } from './load';
export type {
  Finder,
  NativeErrorCode,
  NdiRuntime,
  Preview,
  Receiver,
  ReceiverOptions,
  ReceiverTarget,
  Sender,
  SenderOptions,
  SenderStatus,
  Source,
  SourceOptions,
} from './whiteline';
