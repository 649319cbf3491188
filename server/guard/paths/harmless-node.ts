const harmlessNode = /^\/dev\/(?:null|zero|full|stdin|stdout|stderr|random|urandom|tty|ptmx|fd\/\d+)$/;

/** Returns whether a path is a device file that holds no data and leads nowhere. */
export const isHarmlessNode = (path: string): boolean => harmlessNode.test(path);
