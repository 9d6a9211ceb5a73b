/** A machine that is dragged from the list: its name, which other programs do not take for a text. */
const type = 'application/x-whiteline-machine';

export const machineDrag = {
  write(transfer: DataTransfer, name: string): void {
    transfer.setData(type, name);
    transfer.effectAllowed = 'copy';
  },
  isOne: (transfer: DataTransfer): boolean => transfer.types.includes(type),
  /** Empty if something else is dropped. */
  read: (transfer: DataTransfer): string => transfer.getData(type),
};
