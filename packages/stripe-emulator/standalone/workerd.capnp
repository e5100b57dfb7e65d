using Workerd = import "/workerd/workerd.capnp";

# The command line passes the address of the socket, the folder of the state and OPTIONS.
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .main),
    (name = "state", disk = (writable = true)),
    (
      name = "internet",
      network = (allow = ["public", "private"], tlsOptions = (trustBrowserCas = true)),
    ),
  ],
  sockets = [(name = "http", http = (), service = "main")],
);

const main :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "worker.js")],
  compatibilityDate = "2026-10-01",
  durableObjectNamespaces = [
    (className = "StripeEmulatorAccount", uniqueKey = "stripe-emulator", enableSql = true),
  ],
  durableObjectStorage = (localDisk = "state"),
  bindings = [
    (name = "STRIPE_EMULATOR_ACCOUNT", durableObjectNamespace = "StripeEmulatorAccount"),
    (name = "OPTIONS", fromEnvironment = "STRIPE_EMULATOR_OPTIONS"),
  ],
);
