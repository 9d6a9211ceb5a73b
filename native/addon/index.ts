/** The native addon for the rest of the house: how to load it, and its types. */
export { type Addon, findAddon, loadAddon } from './load';
export type {
  ContentWriter,
  Finder,
  MovieCheck,
  NativeErrorCode,
  NdiRuntime,
  Preview,
  ProcessorScore,
  QualityCheck,
  ReadTexture,
  Receiver,
  ReceiverOptions,
  ReceiverTarget,
  Sender,
  SenderOptions,
  SenderStatus,
  Source,
  SourceOptions,
  TextureReader,
  TextureReaderOptions,
  WakeUpLateness,
} from './whiteline';
