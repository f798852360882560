//! The means by which a process can be confined.

/// Which means of confinement a run uses.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, serde::Serialize)]
pub struct Layers {
    /// A tree of files, a net, process numbers and users of its own.
    pub namespaces: bool,
    /// Rules on files that the kernel checks at each opening.
    pub landlock: bool,
    /// A list of system calls.
    pub seccomp: bool,
}

impl Layers {
    /// Whether these layers together keep a program from everything but its scratch folder.
    pub fn suffice(self) -> bool {
        self.seccomp && (self.namespaces || self.landlock)
    }

    /// The layers that both have.
    pub fn and(self, other: Self) -> Self {
        Self {
            namespaces: self.namespaces && other.namespaces,
            landlock: self.landlock && other.landlock,
            seccomp: self.seccomp && other.seccomp,
        }
    }

    /// All of them.
    pub const ALL: Self = Self { namespaces: true, landlock: true, seccomp: true };
    /// None of them.
    pub const NONE: Self = Self { namespaces: false, landlock: false, seccomp: false };
}
